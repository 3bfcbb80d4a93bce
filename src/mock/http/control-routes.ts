import * as z from 'zod'
import { cookieSentOnce, cookieValues } from '../../contract/cookie.js'
import { isLoopbackHost } from '../../contract/loopback.js'
import { plainAddress } from '../../http/address-allowance.js'
import { StateError } from '../../store/state-file.js'
import { ControlError } from '../core/control-error.js'
import type { Controls, SpaceControls } from '../core/controls.js'
import type { MockReply } from '../core/mock-reply.js'
import type { SentRequest } from '../core/sent-request.js'
import { markerCookie } from '../core/sign-in-cookies.js'
import { type ControlName, controlEndpoints } from './control-endpoints.js'
import { controlTable } from './control-table.js'
import { requestHost } from './node-request.js'
import type { NodeRequest } from './node-types.js'
import { runControl } from './run-control.js'

/** The control plane is below this path. Only this machine may use it. */
export const controlPath = '/__dev/'

/** The longest body of a control, in bytes: larger than any realistic state file. */
export const maxControlBytes = 16 * 1024 * 1024

/**
 * Returns why a request may not control the mock, or undefined if it may. Checking Host prevents DNS rebinding.
 * Requests of other sites' pages have been refused before.
 */
export function controlRefusal(incoming: NodeRequest): string | undefined {
  const address = plainAddress(incoming.socket.remoteAddress ?? '')
  if (address !== '::1' && !isLoopbackHost(address)) return 'Only this machine may control the mock.'
  const url = `http://${requestHost(incoming)}`
  if (!URL.canParse(url) || !isLoopbackHost(new URL(url).hostname)) {
    return 'The Host header must name this machine, e.g. 127.0.0.1.'
  }
  return undefined
}

const endpoints = Object.entries(controlEndpoints).map(([name, endpoint]) => {
  const [method = '', path = ''] = endpoint.split(' ')
  return { name: name as ControlName, method, path }
})

/** Answers a request below `/__dev/` from the control table. */
export async function control(
  sent: SentRequest,
  controls: Controls,
  spaces: SpaceControls,
): Promise<MockReply> {
  const { method, headers } = sent
  const { pathname, searchParams } = new URL(sent.url)
  const endpoint = endpoints.find((known) => known.path === pathname && known.method === method)
  if (!endpoint) return json({ error: `There is no control ${method} ${pathname}.` }, 404)
  let input: unknown = Object.fromEntries(searchParams)
  if (method !== 'GET') {
    // A cross-site page needs a preflight to send this type, and gets none answered.
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
    if (type !== 'application/json') return json({ error: 'Send application/json.' }, 415)
    const bytes = await sent.bytes(maxControlBytes)
    if (!bytes) return json({ error: 'The body is too large.' }, 413)
    try {
      input = JSON.parse(new TextDecoder().decode(bytes))
    } catch {
      return json({ error: 'The body is not JSON.' }, 422)
    }
  }
  const parsed = controlTable[endpoint.name].input.safeParse(input)
  if (!parsed.success) return json({ error: z.prettifyError(parsed.error) }, 422)
  try {
    const cookies = headers.cookie ?? ''
    const caller = { cookies: cookieValues(cookies), marker: cookieSentOnce(cookies, markerCookie) }
    return json((await runControl(endpoint.name, controls, parsed.data, { spaces, caller })) ?? { ok: true })
  } catch (error) {
    if (error instanceof ControlError) {
      return json({ error: error.message, possible: error.possible }, error.status)
    }
    if (error instanceof StateError) return json({ error: error.message, faults: error.faults }, 422)
    throw error
  }
}

export const json = (body: unknown, status = 200): MockReply => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})
