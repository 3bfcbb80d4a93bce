import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createControlClient } from '../../mock/surfaces/control-client.js'
import { mockUrl } from '../options.js'
import { printMessage } from '../output/output.js'
import type { StartEvent } from '../start-event.js'
import { Failure } from '../user-error.js'

/** src/cli/mcp and dist/executable are not equally deep: the executable is found from the script that runs. */
const executable = process.argv[1] ?? fileURLToPath(new URL('../../../bin/dashboard-api.js', import.meta.url))

/** A mock that is started when its address is first needed. */
export type StartedMock = {
  /** Returns its address. Starts it if it has not been started, or has ended. @throws Failure where it does not start */
  address(): Promise<string>
  /** Called when no mock answers at the address any more. */
  forget(): void
  close(): Promise<void>
}

/**
 * Starts a mock as a process of its own. A mock that already answers is used instead, and is not ended: at the address that is
 * given, or at the default address if it is of this project.
 * @param url the address that is wanted. Default: the first free port from the default one on
 * @param options of `dev`
 */
export function startMock(url: string | undefined, options: string[]): StartedMock {
  let starting: Promise<string> | undefined
  let isClosed = false
  let child: ChildProcess | undefined
  let port = new URL(url ?? mockUrl.default).port || '80'

  const start = async (): Promise<string> => {
    const running = await runningMock(url)
    if (running) return running
    const args = [executable, 'dev', '--json', '--port', port, ...options]
    // Events come over the channel: a user's handlers may write to the output. The mock ends when the channel closes, as it
    // does if this process is killed.
    const started = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    child = started
    const ended = once(started, 'exit')
    const event = await Promise.race([once(started, 'message').then(([first]) => first as StartEvent), ended])
    if (!('url' in event)) {
      const reason = 'error' in event ? event.error : 'Its output says why.'
      throw new Failure(`The mock did not start. ${reason}`)
    }
    void ended.then(() => {
      if (child === started) forget()
    })
    port = new URL(event.url).port || port
    printMessage(`Started a mock at ${event.url}.`)
    return event.url
  }
  const forget = () => {
    starting = undefined
  }
  const end = () => void child?.kill()
  process.once('exit', end)

  return {
    async address() {
      if (isClosed) throw new Failure('The mock has ended with this server.')
      starting ??= start().catch((error) => {
        forget()
        throw error
      })
      return starting
    },
    forget,
    async close() {
      isClosed = true
      process.off('exit', end)
      await starting?.catch(() => {})
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** The address of a mock that runs already: any at a given address, or one of this project at the default address. */
async function runningMock(url: string | undefined): Promise<string | undefined> {
  const address = url ?? mockUrl.default
  if (new URL(address).port === '0') return undefined
  const about = await createControlClient(address)
    .call('about')
    .catch(() => undefined)
  if (!about || (url === undefined && about.project !== process.cwd())) return undefined
  printMessage(`Uses the mock that runs at ${address}.`)
  return address
}
