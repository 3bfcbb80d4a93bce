import { BlockList, isIP } from 'node:net'
import * as z from 'zod'
import { cookieSentOnce, cookieValues } from '../../contract/cookie.js'
import { isLoopbackHost } from '../../contract/loopback.js'
import { plainAddress } from '../../http/address-allowance.js'
import { requestHost } from '../../http/request-target.js'
import { StateError } from '../../store/state-file.js'
import { type ControlName, controlEndpoints, stepHeader } from '../controls/control-endpoints.js'
import { controlTable } from '../controls/control-table.js'
import type { RunnableControls } from '../controls/run-control.js'
import type { SpaceControls } from '../controls/space-entries.js'
import type { MockReply } from '../engine/mock-reply.js'
import type { SentRequest } from '../engine/sent-request.js'
import { ControlError } from '../state/control-error.js'
import { markerCookie } from '../state/sign-in-cookies.js'
import type { NodeRequest } from './node-types.js'

/** The path of the control plane. Only this machine and allowed networks may use it. */
export const controlPath = '/__dev/'

/** The longest body of a control, in bytes: larger than any realistic state file. */
export const maxControlBytes = 16 * 1024 * 1024

/**
 * Returns why a request may not control the mock, if it may not. Checking Host prevents DNS rebinding. Requests of other
 * sites' pages were refused before.
 */
export function controlRefusal(
  incoming: NodeRequest,
  isAllowed: (address: string) => boolean = () => false,
): string | undefined {
  const address = plainAddress(incoming.socket.remoteAddress ?? '')
  const isLocal = address === '::1' || isLoopbackHost(address)
  if (!isLocal && !isAllowed(address)) {
    return (
      `Only this machine may control the mock, and this request comes from ${address}. Start the mock with ` +
      `--allow-control ${address} (in Vite: allowControl) to let it; a network is given as 172.17.0.0/16.`
    )
  }
  const url = `http://${requestHost(incoming)}`
  const hostname = URL.canParse(url) ? new URL(url).hostname : ''
  // A page of any site can make a name lead to the mock, but not an address.
  if (isLoopbackHost(hostname) || (!isLocal && isIP(hostname.replace(/^\[|\]$/g, '')))) return undefined
  return 'The Host header must name this machine, e.g. 127.0.0.1.'
}

/**
 * Makes a function that tells whether an address is in one of some networks.
 * @param networks addresses, and networks such as `172.17.0.0/16`
 * @throws ControlError for an invalid network
 */
export function inNetworks(networks: readonly string[] = []): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const bits = prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix)
    if (!isIP(address) || !Number.isInteger(bits) || bits < 0 || bits > (family === 'ipv6' ? 128 : 32)) {
      throw new ControlError(`"${network}" is not a network: give one such as 172.17.0.0/16, or an address.`)
    }
    list.addSubnet(address, bits, family)
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

const endpoints = Object.entries(controlEndpoints).map(([name, endpoint]) => {
  const [method = '', path = ''] = endpoint.split(' ')
  return { name: name as ControlName, method, path }
})

/** Answers a request below `/__dev/` from the control table. */
export async function control(
  sent: SentRequest,
  controls: RunnableControls,
  spaces: SpaceControls,
): Promise<MockReply> {
  const { method, headers } = sent
  const { pathname, searchParams } = new URL(sent.url)
  const endpoint = endpoints.find((known) => known.path === pathname && known.method === method)
  if (!endpoint) return json({ error: `There is no control ${method} ${pathname}.` }, 404)
  let input: unknown = Object.fromEntries(searchParams)
  if (method !== 'GET') {
    // A page of another site needs a preflight to send this type, which is refused.
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
    const { output, step } = await controls.run(endpoint.name, parsed.data, {
      spaces,
      caller,
      signal: sent.signal,
    })
    const reply = json(output ?? { ok: true })
    return step ? { ...reply, headers: { ...reply.headers, [stepHeader]: headerText(step) } } : reply
  } catch (error) {
    if (error instanceof ControlError) {
      return json({ error: error.message, possible: error.possible }, error.status)
    }
    if (error instanceof StateError) return json({ error: error.message, faults: error.faults }, 422)
    throw error
  }
}

/** JSON that a header can hold. */
const headerText = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const json = (body: unknown, status = 200): MockReply => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})
