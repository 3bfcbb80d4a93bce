import { existsSync } from 'node:fs'

/** Ends the process with advice where `npm run build` has not been run: there is nothing to measure. */
export function requireBuild() {
  if (existsSync(new URL('../dist/entries/', import.meta.url))) return
  console.error('There is nothing to measure: run `npm run build` first.')
  process.exit(1)
}
