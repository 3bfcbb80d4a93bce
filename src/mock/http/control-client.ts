import { ControlError } from '../core/control-error.js'
import type { LogEntry } from '../core/request-log.js'
import {
  type ControlInput,
  type ControlName,
  type ControlOutput,
  controlTable,
  followPath,
} from './control-table.js'
import { spaceHeader } from './spaces.js'

/** What is heard while a mock is followed: a request's entry, or that a control was changed. */
export type Followed = { request: LogEntry } | { change: true }

export type ControlClient = {
  /**
   * Calls a control of a running mock.
   * @throws ControlError for what the mock refuses, NoMockError where no mock answers
   */
  call<Name extends ControlName>(
    name: Name,
    ...input: Record<string, never> extends ControlInput<Name> ? [ControlInput<Name>?] : [ControlInput<Name>]
  ): Promise<ControlOutput<Name>>
  /**
   * Gives what happens at the mock as it happens, until the signal says so or the mock ends.
   * @param since the id of the last entry that is known; 0 for all that are kept, left out for none
   */
  follow(signal: AbortSignal, since?: number): AsyncGenerator<Followed>
}

/** Nothing answers at the address, or something that is no mock. */
export class NoMockError extends Error {
  override name = 'NoMockError'
}

/**
 * The controls of the mock at an address.
 * @param space the space that is controlled; the common one where it is left out
 */
export function createControlClient(url: string, space?: string): ControlClient {
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = { ...init.headers, ...(space !== undefined && { [spaceHeader]: space }) }
    return fetch(new URL(path, url), { ...init, headers, redirect: 'manual' }).catch((error: Error) => {
      if (init.signal?.aborted && error.name === 'AbortError') throw error
      throw new NoMockError(`No mock answers at ${url} (${reasonOf(error)}).`)
    })
  }

  return {
    async call(name, ...[input]) {
      const { method, path } = controlTable[name]
      const response = await ask(path, {
        method,
        ...(method !== 'GET' && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(input ?? {}),
        }),
        signal: AbortSignal.timeout(10_000),
      })
      const body = await response.json().catch(() => undefined)
      if (response.ok && body !== undefined) return body
      if (typeof body?.error === 'string') throw refusal(body, response.status)
      throw new NoMockError(`What answers at ${url} is not a dashboard-api mock (status ${response.status}).`)
    },
    async *follow(signal, since) {
      const response = await ask(since === undefined ? followPath : `${followPath}?since=${since}`, {
        signal,
      })
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
        throw new NoMockError(
          `What answers at ${url} is not a dashboard-api mock (status ${response.status}).`,
        )
      }
      let text = ''
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
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

type Refusal = { error: string; possible?: string[] }

/** The mock's own refusal; its message names already what is possible. */
const refusal = ({ error, possible = [] }: Refusal, status: number): ControlError =>
  Object.assign(new ControlError(error, [], status), { possible })

/** What `fetch` met; its own message says only that it failed. */
function reasonOf({ cause, message }: Error): string {
  const { code, message: why } = (cause ?? {}) as NodeJS.ErrnoException
  return code ?? why ?? message
}
