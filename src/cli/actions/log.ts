import { ControlError } from '../../mock/core/control-error.js'
import type { LogEntry } from '../../mock/core/request-log.js'
import { createControlClient, NoMockError } from '../../mock/http/control-client.js'
import { Failure, UserError } from '../user-error.js'
import { asUserError, type MockAt, mockAt } from './mock.js'

/** The latest requests, oldest first. */
export const readLog = (at: MockAt): Promise<LogEntry[]> => mockAt(at)('log')

export async function clearLog(at: MockAt): Promise<void> {
  await mockAt(at)('clearLog')
}

/** The command line that repeats a request. @throws UserError where the log has no such entry */
export async function curlOf(at: MockAt, id: number): Promise<string> {
  const entries = await readLog(at)
  const entry = entries.find((candidate) => candidate.id === id)
  if (entry) return entry.curl
  const [first, last] = [entries[0]?.id, entries.at(-1)?.id]
  throw new UserError(
    `The log has no request ${id}.`,
    first === undefined
      ? 'It is empty.'
      : `Its requests are ${first} to ${last}; "npx dashboard-api log" shows them.`,
  )
}

/**
 * Gives the requests that are kept, then each further one, until the signal to end.
 * @throws Failure where no mock answers, or where it ends first
 */
export async function followLog(
  { url, space }: MockAt,
  print: (entry: LogEntry) => void,
  signal: Promise<unknown>,
): Promise<void> {
  const leaving = new AbortController()
  void signal.then(() => leaving.abort())
  try {
    for await (const heard of createControlClient(url, space).follow(leaving.signal, 0)) {
      if ('request' in heard) print(heard.request)
    }
  } catch (error) {
    if (leaving.signal.aborted) return
    if (error instanceof NoMockError || error instanceof ControlError) throw asUserError(error)
  }
  if (!leaving.signal.aborted) throw new Failure(`The mock at ${url} has ended.`)
}
