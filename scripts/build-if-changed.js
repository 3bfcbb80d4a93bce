// For `npm run dev` and `npm start` in a checkout: a second start need not wait for a build that would change nothing.
import { spawnSync } from 'node:child_process'
import { isBuilt } from './is-built.js'

if (!isBuilt('.')) {
  const { status } = spawnSync('npm run --silent build', { stdio: 'inherit', shell: true })
  process.exitCode = status ?? 1
}
