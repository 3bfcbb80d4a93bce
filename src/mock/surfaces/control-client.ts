import { isLoopbackHost } from '../../contract/loopback.js'
import {
  type ControlName,
  type ControlOutput,
  controlEndpoints,
  controlHeader,
  followPath,
  pageHeader,
  spaceHeader,
  spaceNameFault,
  stepHeader,
} from '../controls/control-endpoints.js'
import type { ControlInput } from '../controls/control-table.js'
import type { StepView } from '../controls/step-view.js'
import { waitOf } from '../log/filter-rules.js'
import type { LogEntry } from '../log/log-entry.js'
import { ControlError } from '../state/control-error.js'
import { type Call, type Reply, sendByFetch, sendToThisMachine } from './send-call.js'

/** An event of a followed mock: a request, or a change by a control. */
export type MockEvent = { request: LogEntry } | { change: true }

export type ControlClient = ReturnType<typeof createControlClient>

/** The input of a control. It is optional if all of its fields are. */
type Input<Name extends ControlName> =
  Record<string, never> extends ControlInput<Name> ? [ControlInput<Name>?] : [ControlInput<Name>]

/** What a control has done: its output, and the step if it changed the mock. */
export type RanRemotely<Name extends ControlName> = { output: ControlOutput<Name>; step?: StepView }

/** No mock answers at the address. */
export class NoMockError extends Error {
  override name = 'NoMockError'

  /** What is at the address: nothing, what does not answer in time, or another server. */
  readonly found: 'nothing' | 'silence' | 'another server'

  constructor(message: string, found: NoMockError['found'] = 'nothing') {
    super(message)
    this.found = found
  }
}

/**
 * A client for the controls of the mock at an address.
 * @param space the space to control; by default the common one
 * @param timeoutMs the time limit of a call, and of the beginning of the log
 * @param inPage control the mock in a page, through the Vite plugin at the address
 */
export function createControlClient(url: string, space?: string, timeoutMs = 10_000, inPage = false) {
  const noAnswer = (error: Error, ms: number) => {
    if (error.name === 'TimeoutError') {
      return new NoMockError(`Time-out: the mock at ${url} has not answered for ${ms / 1000} s.`, 'silence')
    }
    // A browser tells scripts no cause, which may be a policy of the page.
    const isHidden = error.cause === undefined && Reflect.has(globalThis, 'document')
    return new NoMockError(
      isHidden
        ? `No answer from ${url} has reached this page (${error.message}): the console of the browser tells why.`
        : `No mock answers at ${url} (${reasonOf(error)}${placeOf(error, url)}).`,
    )
  }
  const request = async (path: string, call: Omit<Call, 'headers'>, ms = timeoutMs): Promise<Reply> => {
    // A header cannot contain other letters.
    const fault = space === undefined ? undefined : spaceNameFault(space)
    if (fault) throw new ControlError(fault)
    const headers = {
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
      ...(space !== undefined && { [spaceHeader]: space }),
      ...(inPage && { [pageHeader]: '1' }),
    }
    const target = new URL(path, url)
    const send = isLoopbackHost(target.hostname) ? sendToThisMachine : sendByFetch
    const reply = await send(target, { ...call, headers }).catch((error: Error) => {
      if (call.signal?.aborted && error.name === 'AbortError') throw error
      throw noAnswer(error, ms)
    })
    if (reply.header(controlHeader) !== undefined) return reply
    reply.cancel()
    throw new NoMockError(
      `What answers at ${url} is not a dashboard-api mock (${describe(reply)}).`,
      'another server',
    )
  }
  const readJson = async (reply: Reply) => JSON.parse(await reply.text())

  const run = async <Name extends ControlName>(
    name: Name,
    ...[input]: Input<Name>
  ): Promise<RanRemotely<Name>> => {
    const [method, path] = controlEndpoints[name].split(' ') as [string, string]
    // A call that waits takes as long as it says.
    const ms = timeoutMs + waitOf(input)
    const limit = limitTime(ms)
    try {
      const isRead = method === 'GET'
      const call = {
        method,
        ...(!isRead && { body: JSON.stringify(input ?? {}) }),
        signal: limit.signal,
      }
      const reply = await request(isRead ? path + queryOf(input) : path, call, ms)
      const body = await readJson(reply).catch((error: Error) => {
        throw noAnswer(limit.signal.aborted ? limit.signal.reason : error, ms)
      })
      const step = reply.header(stepHeader)
      if (reply.status < 300) return { output: body, ...(step !== undefined && { step: JSON.parse(step) }) }
      throw refusal(body, reply.status)
    } finally {
      limit.end()
    }
  }

  return {
    /**
     * Calls a control of a running mock.
     * @returns its output, and the step if it changed the mock
     * @throws ControlError if the mock refuses the call, NoMockError if no mock answers
     */
    run,
    /** The same, for the output alone. */
    call: async <Name extends ControlName>(name: Name, ...input: Input<Name>): Promise<ControlOutput<Name>> =>
      (await run(name, ...input)).output,
    /**
     * Yields events as they happen, until the signal is aborted or the mock ends.
     * @param since the id of the last known entry; 0 for all stored entries; by default new ones only
     */
    async *follow(signal: AbortSignal, since?: number): AsyncGenerator<MockEvent> {
      const limit = limitTime(timeoutMs)
      const reply = await request(since === undefined ? followPath : `${followPath}?since=${since}`, {
        method: 'GET',
        signal: AbortSignal.any([signal, limit.signal]),
      }).finally(limit.end)
      if (reply.status >= 300) throw refusal(await readJson(reply), reply.status)
      let text = ''
      for await (const chunk of reply.parts()) {
        const events = (text + chunk).split('\n\n')
        text = events.pop() ?? ''
        for (const event of events) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(event)?.[1]
          if (field('event') === 'request') yield { request: JSON.parse(field('data') ?? '') as LogEntry }
          if (field('event') === 'change') yield { change: true }
        }
      }
    },
  }
}

function queryOf(input: unknown): string {
  const fields = Object.entries(input ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields)}`
}

/**
 * A time-out that can end early. Unlike AbortSignal.timeout, it keeps the process running: a `fetch` on a connection that was
 * closed before the request does not.
 */
function limitTime(ms: number): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('There is no response.', 'TimeoutError'))
  const timer = setTimeout(abort, ms)
  return { signal: controller.signal, end: () => clearTimeout(timer) }
}

type Refusal = { error: string; possible?: string[] }

/** The mock's refusal. Its message names the possible values already. */
const refusal = ({ error, possible = [] }: Refusal, status: number): ControlError =>
  Object.assign(new ControlError(error, [], status), { possible })

/** The reason of a call that failed. Its own message says only that it failed. */
function reasonOf({ cause, message }: Error): string {
  const { code, message: causeMessage } = (cause ?? {}) as { code?: unknown; message?: string }
  // Errors of a proxy have the number of its status. A code of the system says more than its message; for codes of the HTTP client it is the other way round.
  return (typeof code === 'string' && code.startsWith('E') ? code : causeMessage) || message
}

/** Where a connection failed, if that is not at the port of the mock, as of a proxy. */
function placeOf({ cause }: Error, url: string): string {
  const { address, port } = Object(cause) as { address?: string; port?: number }
  const target = new URL(url)
  const isThere = String(port) === (target.port || (target.protocol === 'https:' ? '443' : '80'))
  return address === undefined || port === undefined || isThere ? '' : ` at ${address}:${port}`
}

/** Describes a response that is not from a mock, e.g. `status 200, text/html`. */
function describe({ status, header }: Reply): string {
  const location = header('location')
  const detail = location === undefined ? header('content-type')?.split(';')[0] : `redirects to ${location}`
  return [`status ${status}`, detail].filter(Boolean).join(', ')
}
