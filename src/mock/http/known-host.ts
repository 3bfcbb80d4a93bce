import { isUnspecifiedAddress } from '../../contract/host.js'
import { isLoopbackHost } from '../../contract/loopback.js'

/** By this address the Android emulator reaches the loopback address of its machine. */
const emulatorHost = '10.0.2.2'

/**
 * Whether a client may call the mock by a host. A page of any site can make a name lead to this machine (DNS rebinding) and
 * would share the mock's origin; it cannot choose an address.
 * @param host the Host header; a request of HTTP/1.0, which no browser sends, may have none
 * @param known the address to bind to, and other names
 */
export function isKnownHost(host: string, known: readonly string[]): boolean {
  if (host === '') return true
  if (!URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  return (
    isLoopbackHost(hostname) ||
    hostname === emulatorHost ||
    known.some((each) => hostname === each.toLowerCase() || hostname === `[${each}]`) ||
    (isAddress && known.some(isUnspecifiedAddress))
  )
}
