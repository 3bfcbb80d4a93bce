import { isLoopbackOrigin } from '../../contract/loopback.js'

/** Whether pages of an origin may use the mock from there: those of the list, else all of this machine. */
export const allowedOrigins = (list: readonly string[] | undefined): ((origin: string) => boolean) =>
  list ? (origin) => list.includes(origin) : isLoopbackOrigin
