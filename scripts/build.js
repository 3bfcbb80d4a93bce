// Builds dist/: the modules with their types, and the bundles. With `--if-changed` only where a source is newer than dist/.
// The types are not checked here: `npm run check` does.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist/.built')
const sources = [
  'src',
  'workbench',
  // The mock's entry points have the demo.
  'fixtures',
  'scripts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
]

/** The time of the last change of a file, or of anything in a folder. What is removed changes its folder. */
const changedAt = (path) => {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

const isBuilt = () =>
  existsSync(stamp) && sources.every((name) => changedAt(join(root, name)) < statSync(stamp).mtimeMs)

if (!process.argv.includes('--if-changed') || !isBuilt()) {
  const began = Date.now()
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: root,
    stdio: 'inherit',
  })
  await import('./declarations.js')
  await import('./bundle.js')
  // A source that is changed meanwhile is newer.
  writeFileSync(stamp, '')
  utimesSync(stamp, began / 1000, began / 1000)
}
