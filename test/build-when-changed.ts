import { execFileSync } from 'node:child_process'

/** The global set-up of the tests that use what is built: builds it where a source has changed since. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.js', '--if-changed'], { stdio: 'inherit' })
}
