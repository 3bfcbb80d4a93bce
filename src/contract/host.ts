/** Whether an address to bind to means every address of the machine. Clients cannot connect to it. */
export const isUnspecifiedAddress = (address: string): boolean => /^(0\.0\.0\.0|\[?::\]?)$/.test(address)

/** The origin of a listening server for clients on the same machine. */
export function openableOrigin(origin: string): string {
  const url = new URL(origin)
  if (isUnspecifiedAddress(url.hostname)) url.hostname = '127.0.0.1'
  return url.origin
}

/**
 * The origin that a client sent its request to, by its Host header.
 * @param scheme `http` or `https`, possibly forwarded by a proxy
 * @returns undefined for another scheme or an invalid header
 */
export function requestedOrigin(scheme: string, host: string | undefined): string | undefined {
  if (!/^https?$/.test(scheme)) return undefined
  if (!host || !/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host)) return undefined
  const url = `${scheme}://${host}`
  if (!URL.canParse(url) || isUnspecifiedAddress(new URL(url).hostname)) return undefined
  return new URL(url).origin
}
