import { execFileSync } from 'node:child_process'

/** The global set-up of the tests that use the build. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit', shell: process.platform === 'win32' })
}
