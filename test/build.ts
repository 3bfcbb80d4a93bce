import { execFileSync } from 'node:child_process'

/** The global set-up of the tests that use the build. */
export function setup(): void {
  // Benchmarks and drills, which some tests run, use the compiled modules.
  for (const script of ['build', 'compile']) {
    execFileSync('npm', ['run', '--silent', script], {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    })
  }
}
