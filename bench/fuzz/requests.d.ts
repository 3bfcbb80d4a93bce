import type { Random } from './random.js'

/** @param cookies Cookie headers with which requests are made */
export function createRequests(
  random: Random,
  cookies: readonly string[],
): {
  /** A request that is valid HTTP, whatever it says. */
  framed(): { method: string; bytes: Buffer }
  /** Requests with changed bytes. */
  broken(): Buffer
}
