// Runs the examples that have a package.json of their own, or those that are named: `npm run check:examples -- jest`.
// Each is copied to an empty folder, where this package is installed as it would be published, and the rest from the
// registry. Then its `npm test` runs.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const examples = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(join(import.meta.dirname, name, 'package.json')),
)

function npm(cwd, ...args) {
  const { status } = spawnSync('npm', args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}`)
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !examples.includes(name))
if (unknown.length > 0) {
  console.error(`error: no example ${unknown.join(', ')}. Examples: ${examples.join(', ')}`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'dashboard-api-examples-'))
try {
  npm(root, 'pack', '--silent', '--pack-destination', folder)
  const [tarball = ''] = readdirSync(folder)
  for (const name of names.length > 0 ? names : examples) {
    console.log(`\n== examples/${name}`)
    const copy = join(folder, name)
    const isSource = (path) => !/[\\/](node_modules|\.next)$/.test(path)
    cpSync(join(import.meta.dirname, name), copy, { recursive: true, filter: isSource })
    const file = join(copy, 'package.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/("dashboard-api": )"[^"]*"/, `$1"file:../${tarball}"`))
    npm(copy, 'install', '--no-audit', '--no-fund', '--prefer-offline')
    npm(copy, 'test')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
