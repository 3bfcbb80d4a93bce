// The controls of the mock, wherever it runs: on the server of this page, or in the page that this one is docked to.

import {
  type ControlName,
  type ControlOutput,
  controlEndpoints,
  spaceHeader,
  stepHeader,
} from '../src/mock/controls/control-endpoints.js'
import type { ControlInput } from '../src/mock/controls/control-table.js'
import type { StepView } from '../src/mock/controls/step-view.js'
import { randomId } from '../src/mock/engine/random-id.js'
import type { LogEntry } from '../src/mock/log/log-entry.js'

export type Fault = { path: string; reason: string }
type Refusal = { error: string; possible?: string[]; faults?: Fault[] }
export type Answer<Output> =
  | { output: Output; step?: StepView; error?: undefined; faults?: undefined }
  | (Refusal & { output?: undefined; step?: undefined })

type Listeners = {
  onRequest(entry: LogEntry): void
  onChange(): void
  /** @param isRestarted whether the log has to be read again */
  onConnection(isConnected: boolean, isRestarted?: boolean): void
}

type Connection = {
  name: string
  /** Where the commands of the command line find this mock; undefined if they cannot. */
  address?: string
  call(method: string, path: string, input?: unknown): Promise<Answer<unknown>>
  follow(since: number, listeners: Listeners): void
  /** The session cookie of this browser, unless the mock sets it itself. */
  cookie?: Cookie
  /** The cookie with the name of the space, if the mock has spaces. */
  space?: Cookie
}

type Cookie = {
  get(): string | undefined
  /** Returns false if the browser has not taken it. */
  set(value: string | undefined): boolean
}

/** Whether the mock runs in a page, and this one is docked to it or was opened from it. */
export const isInPage = channelName() !== undefined
export const isDocked = window.self !== window.top
/** Whether /docs is of the mock: in a page and in Vite it is the application's. */
export const hasDocs = !isInPage && location.pathname === '/'

const timeoutMs = 10_000

/**
 * The channel to the page with the mock: the name of this window, or in a tab the part of its URL. The name is lost where that page
 * has a Cross-Origin-Opener-Policy.
 */
function channelName(): string | undefined {
  return [window.name, location.hash.slice(1)].find((name) => name.startsWith('dashboard-api:'))
}

function channelConnection(name: string): Connection {
  const channel = new BroadcastChannel(name)
  const waiting = new Map<string, (answer: Answer<unknown>) => void>()
  let listeners: Listeners | undefined

  channel.onmessage = ({ data: { id, event, entry, ...answer } }) => {
    if (event === undefined) waiting.get(id)?.(answer)
    else if (event === 'request') listeners?.onRequest(entry)
    else if (event === 'change') listeners?.onChange()
    else listeners?.onConnection(event === 'start', event === 'start')
  }
  const call: Connection['call'] = (method, path, input) =>
    new Promise((resolve) => {
      const id = randomId()
      const settle = (answer: Answer<unknown>) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(answer)
      }
      const timer = setTimeout(settle, timeoutMs, {
        error: `The page with the mock has not answered for ${timeoutMs / 1000} s.`,
      })
      waiting.set(id, settle)
      channel.postMessage({ id, method, path, input })
    })
  return {
    name: 'the mock in the page',
    call,
    follow(_since, given) {
      listeners = given
      given.onConnection(true)
    },
  }
}

/** A cookie of this browser for the mock. */
function cookieNamed(name: string): Cookie {
  const get = () => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1]
  return {
    get,
    set(value) {
      const age = value === undefined ? '; Max-Age=0' : ''
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
      document.cookie = `${name}=${value ?? ''}; Path=/; SameSite=Lax${age}`
      return get() === value
    },
  }
}

const httpConnection: Connection = {
  name: location.host,
  address: location.origin,
  async call(method, path, input) {
    const isRead = method === 'GET'
    const fields = Object.entries(input ?? {}).filter(([, value]) => value !== undefined)
    const query = isRead && fields.length > 0 ? `?${new URLSearchParams(fields)}` : ''
    const headers = { 'content-type': 'application/json' }
    let status: number | undefined
    try {
      const response = await fetch(
        `/__dev/${path}${query}`,
        isRead ? {} : { method, headers, body: JSON.stringify(input ?? {}) },
      )
      status = response.status
      const body = await response.json()
      const step = response.headers.get(stepHeader)
      return response.ok ? { output: body, ...(step !== null && { step: JSON.parse(step) }) } : body
    } catch (error) {
      const what = status === undefined ? 'did not answer' : `answered ${status}, not as the mock does`
      return { error: `${location.host} ${what}: ${(error as Error).message}` }
    }
  },
  follow(since, { onRequest, onChange, onConnection }) {
    const events = new EventSource(`/__dev/log/follow?since=${since}`)
    events.addEventListener('request', ({ data }) => onRequest(JSON.parse(data)))
    events.addEventListener('change', onChange)
    events.onopen = () => onConnection(true)
    events.onerror = () => onConnection(false)
  },
  cookie: cookieNamed('session'),
  space: cookieNamed(spaceHeader),
}

export const connection: Connection = isInPage ? channelConnection(channelName() ?? '') : httpConnection

export type Input<Name extends ControlName> =
  Record<string, never> extends ControlInput<Name> ? [ControlInput<Name>?] : [ControlInput<Name>]

/** Changes are sent one after another, in the order of the keys. */
let last: Promise<unknown> = Promise.resolve()

/** Calls a control. Returns its output, or the refusal with the faults of a record. */
export async function call<Name extends ControlName>(
  name: Name,
  ...[input]: Input<Name>
): Promise<Answer<ControlOutput<Name>>> {
  const [method = '', path = ''] = controlEndpoints[name].split(' ')
  const send = () => connection.call(method, path.replace('/__dev/', ''), input)
  const sent = method === 'GET' ? send() : last.then(send)
  if (method !== 'GET') last = sent
  const answer = await sent
  if (answer.error === undefined) return answer as Answer<ControlOutput<Name>>
  const { error, possible = [], faults = [] } = answer
  return { error: possible.length > 0 ? `${error} Possible: ${possible.join(', ')}.` : error, faults }
}
