// Builds dist/: the modules with their types, and the bundles. With `--if-changed` only where a source is newer than dist/.
// The types are not checked here: `npm run check` does.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

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

/** Has the id of the process that builds. One that was killed leaves it, and no build takes this long, in ms. */
const lock = join(root, 'node_modules/.dashboard-api-build')
const maxBuildMs = 300_000

/** Takes the lock, if no other process has it. */
function takeLock() {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    process.once('exit', () => rmSync(lock, { force: true }))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld()) rmSync(lock, { force: true })
    return false
  }
}

function isHeld() {
  try {
    if (Date.now() - statSync(lock).mtimeMs > maxBuildMs) return false
    // Empty for a moment when it is new.
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0)
    return true
  } catch (error) {
    return error.code !== 'ESRCH'
  }
}

const isWanted = () => !process.argv.includes('--if-changed') || !isBuilt()

if (isWanted()) {
  let hasWaited = false
  while (!takeLock()) {
    if (!hasWaited) console.error('Another process builds; waiting for it.')
    hasWaited = true
    await setTimeout(100)
  }
}
// The other process may have built it.
if (isWanted()) {
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
