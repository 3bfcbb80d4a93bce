import * as z from 'zod'
import { isLoopbackHost, isLoopbackOrigin } from '../../contract/loopback.js'
import { StateError } from '../../store/state-file.js'
import { ControlError } from '../core/control-error.js'
import type { Controls } from '../core/controls.js'
import type { MockHttpRequest } from '../core/mock-handler.js'
import { controlTable } from './control-table.js'
import { hostOf, type Incoming } from './node-http.js'

/** Below this path the dev server is told what to be, and by this machine alone. */
export const controlPath = '/__dev/'

/** More than the largest state that anybody would load by hand. */
export const maxControlBytes = 16 * 1024 * 1024

/**
 * Why a request may not control the mock, or undefined where it may. The Host is checked against pages that
 * point a name of their own at this machine, the Origin against pages from elsewhere.
 */
export function controlRefusal(incoming: Incoming): string | undefined {
  const address = incoming.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  if (address !== '::1' && !isLoopbackHost(address)) return 'Only this machine may control the mock.'
  const { origin } = incoming.headers
  const url = `http://${hostOf(incoming)}`
  if (!URL.canParse(url) || !isLoopbackHost(new URL(url).hostname)) {
    return 'The Host header must name this machine, e.g. 127.0.0.1.'
  }
  if (origin !== undefined && !isLoopbackOrigin(origin))
    return 'The Origin header must be a page of this machine.'
  return undefined
}

/** Answers a request below `/__dev/` from the table of controls. */
export async function control(asked: MockHttpRequest, controls: Controls): Promise<Response> {
  const { pathname } = asked.url
  const here = Object.values(controlTable).filter(({ path }) => path === pathname)
  const entry = here.find(({ method }) => method === asked.method)
  if (!entry) {
    return here.length > 0
      ? json({ error: `${pathname} does not take ${asked.method}.` }, 405, {
          allow: here.map(({ method }) => method).join(', '),
        })
      : json({ error: `There is no control ${asked.method} ${pathname}.` }, 404)
  }
  let input: unknown = {}
  if (asked.method !== 'GET') {
    // A page from elsewhere cannot send this type without a preflight, and is not answered one.
    const type = asked.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
    if (type !== 'application/json') return json({ error: 'Send application/json.' }, 415)
    const text = new TextDecoder().decode(asked.body)
    if (text.length > maxControlBytes) return json({ error: 'The body is too large.' }, 413)
    try {
      input = JSON.parse(text)
    } catch {
      return json({ error: 'The body is not JSON.' }, 422)
    }
  }
  const parsed = entry.input.safeParse(input)
  if (!parsed.success) return json({ error: z.prettifyError(parsed.error) }, 422)
  try {
    // Each entry runs on what its own schema gave; the type system cannot follow through the table.
    const run = entry.run as (controls: Controls, input: unknown) => Promise<unknown>
    return json((await run(controls, parsed.data)) ?? { ok: true })
  } catch (error) {
    if (error instanceof ControlError) {
      return json({ error: error.message, possible: error.possible }, error.status)
    }
    if (error instanceof StateError) return json({ error: error.message, faults: error.faults }, 422)
    throw error
  }
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
