import { isLoopbackOrigin } from '../../contract/loopback.js'

/** Whether pages of an origin may use the mock. */
type IsAllowed = (origin: string) => boolean

/**
 * Which pages of other origins may use the mock: those of the list, else all of this machine, and those at the name by which
 * the mock was called, such as that of a container or the address that a phone has opened.
 * @returns a function that takes the Host header of a request
 */
export const allowedOrigins = (
  list: readonly string[] | undefined,
): ((host: string | null | undefined) => IsAllowed) =>
  list
    ? () => (origin) => list.includes(origin)
    : (host) => (origin) => isLoopbackOrigin(origin) || isAtHost(origin, host)

function isAtHost(origin: string, host: string | null | undefined): boolean {
  if (!host || !/^https?:/.test(origin) || !URL.canParse(origin) || !URL.canParse(`http://${host}`))
    return false
  return new URL(origin).hostname === new URL(`http://${host}`).hostname
}
