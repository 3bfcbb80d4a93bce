import { isLoopbackOrigin } from '../../contract/loopback.js'

/** Whether pages of an origin may use the mock. */
type IsAllowed = (origin: string) => boolean

/**
 * The other origins whose pages may use the mock: the listed ones, or by default those of this machine and of the name by
 * which the mock was called, such as a container's.
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
