import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Runs a command of `bench/drills`. @returns what it reports; @throws with its output where it fails */
export async function runDrill(name: string, ...args: string[]) {
  const script = fileURLToPath(new URL(`../../bench/drills/${name}.js`, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`)
  })
  return JSON.parse(stdout)
}
