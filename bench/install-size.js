// What a production host installs (`npm run bench:install`): the package from its tarball and its dependencies, without peers.
// A dependency counts the packages and files that would be gone without it; what several need is in the last line.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = mkdtempSync(join(tmpdir(), 'dashboard-api-installed-'))
const npm = (cwd, ...args) => execFileSync('npm', args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })

/** The bytes of the files of a package, without the packages inside it. */
const bytesOf = (path) =>
  readdirSync(join(folder, path), { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const name = join(path, entry.name)
      return sum + (entry.isDirectory() ? bytesOf(name) : statSync(join(folder, name)).size)
    }, 0)

try {
  npm('.', 'pack', '--ignore-scripts', '--silent', '--pack-destination', folder)
  const [tarball] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  npm(folder, 'install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball}`)

  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  /** Finds the package that another one gets by a name, as Node does. */
  const resolve = (from, name) => {
    for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
      const path = join(at, 'node_modules', name)
      if (packages[path]) return path
      if (at === '') throw new Error(`${from} has no ${name}`)
    }
  }
  const reach = (path, without, reached = new Set()) => {
    if (reached.has(path)) return reached
    reached.add(path)
    const { dependencies = {} } = packages[path]
    for (const name of Object.keys(dependencies)) {
      if (path !== root || name !== without) reach(resolve(path, name), without, reached)
    }
    return reached
  }
  const root = 'node_modules/dashboard-api'
  const all = reach(root)
  const row = (name, paths) => ({
    name,
    packages: paths.length,
    MB: Number((paths.reduce((sum, path) => sum + bytesOf(path), 0) / 1e6).toFixed(1)),
  })
  const rows = Object.keys(packages[root].dependencies).map((name) => {
    const others = reach(root, name)
    return { name, paths: [...all].filter((path) => !others.has(path)) }
  })
  const counted = new Set([root, ...rows.flatMap(({ paths }) => paths)])
  const table = [
    row('in all', [...all]),
    row('dashboard-api', [root]),
    ...rows.map(({ name, paths }) => row(name, paths)).sort((a, b) => b.MB - a.MB),
    row(
      'of several',
      [...all].filter((path) => !counted.has(path)),
    ),
  ]
  if (process.argv.includes('--json')) console.log(JSON.stringify(table))
  else console.table(table)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
