import { uuidTail, uuidV7 } from '../../contract/uuid.js'
import type { Random } from './random.js'

/**
 * Makes UUIDs of version 7 in ascending order. They depend only on the clock, a counter and the random source, so that a
 * fixed clock and a seed reproduce them.
 * @param isTaken whether the state has this id: a state of an earlier run with the same seed may
 */
export function createIds(now: () => Date, random: Random, isTaken: (id: string) => boolean) {
  let msecs = 0
  let seq = 0
  const next = (): string => {
    let id: string
    do {
      msecs = Math.max(msecs, now().getTime())
      id = uuidV7(msecs, seq++, uuidTail(Uint8Array.from({ length: 8 }, random.byte)))
    } while (isTaken(id))
    return id
  }
  return {
    next,
    /** Restarts the sequence, together with the clock and the random source. */
    reset() {
      msecs = 0
      seq = 0
    },
  }
}
