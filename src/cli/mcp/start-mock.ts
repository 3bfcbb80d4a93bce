import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { createControlClient } from '../../mock/surfaces/control-client.js'
import { printMessage } from '../output/output.js'
import { Failure } from '../user-error.js'

/** src/cli/mcp and dist/executable are not equally deep: the executable is found from the script that runs. */
const executable = process.argv[1] ?? fileURLToPath(new URL('../../../bin/dashboard-api.js', import.meta.url))

/**
 * Starts a mock as a process of its own, whose output never reaches stdout. A mock that already answers at the address is
 * used instead, and is not ended.
 * @param options of `dev`
 * @throws Failure where it does not start
 */
export async function startMock(
  url: string,
  options: string[],
): Promise<{ url: string; close(): Promise<void> }> {
  const isRunning = await createControlClient(url)
    .call('history')
    .then(
      () => true,
      () => false,
    )
  if (isRunning) {
    printMessage(`Uses the mock that runs at ${url}.`)
    return { url, close: async () => {} }
  }
  const port = new URL(url).port || '80'
  const args = [executable, 'dev', '--json', '--port', port, ...options]
  // The mock ends when the channel closes, as it does if this process is killed.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const { stdout } = child as ChildProcess & { stdout: Readable }
  const lines = createInterface(stdout)
  const listening = (async () => {
    for await (const line of lines) {
      const found = JSON.parse(line) as { event: string; url: string }
      if (found.event === 'listening') return found.url
    }
    throw new Failure('The mock did not start.', 'Its output above says why.')
  })()
  const address = await listening
  // Its further output is read and dropped, or it would wait for its reader.
  stdout.resume()
  const end = () => void child.kill()
  process.once('exit', end)
  printMessage(`Started a mock at ${address}.`)
  return {
    url: address,
    async close() {
      process.off('exit', end)
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}
