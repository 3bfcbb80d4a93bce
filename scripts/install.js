// Installs the packages of folders that have a lock file of their own, where they are not installed yet or the lock file has
// changed: `node scripts/install.js test/programs examples`. The commands that need them run this first.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

function npm(folder, ...args) {
  const options = { cwd: join(root, folder), stdio: ['ignore', 2, 2], shell: process.platform === 'win32' }
  const { status, error } = spawnSync('npm', args, options)
  if (status !== 0) throw error ?? new Error(`npm ${args[0]} failed in ${folder}`)
}

for (const folder of process.argv.slice(2)) {
  const packages = join(root, folder, 'node_modules')
  // npm writes this file last.
  const installed = join(packages, '.package-lock.json')
  const lockFile = join(root, folder, 'package-lock.json')
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockFile).mtimeMs) {
    console.error(`Installing the packages of ${folder} …`)
    npm(folder, 'ci', '--prefer-offline', '--no-audit', '--no-fund')
  }
  // Node and npx find a package by its own name only up to the nearest package.json.
  const own = join(packages, 'dashboard-api')
  if (!existsSync(own)) {
    // A link that leads nowhere, where the clone was moved.
    rmSync(own, { force: true })
    symlinkSync(root, own, 'junction')
    npm(folder, 'rebuild', 'dashboard-api', '--ignore-scripts', '--silent')
  }
}
