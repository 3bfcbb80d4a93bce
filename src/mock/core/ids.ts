import { v7 } from 'uuid'
import type { Random } from './random.js'

export type Ids = {
  next(): string
  /** Begins again, for a clock and a seed that begin again. */
  reset(): void
}

/**
 * Ids as UUIDs of version 7, each greater than the one before. What makes them apart is the clock, a counter
 * and the random source, so that a fixed clock and a seed repeat them.
 * @param isTaken whether the state holds this id already, as one kept from an earlier run with the same seed may
 */
export function createIds(now: () => Date, random: Random, isTaken: (id: string) => boolean): Ids {
  let msecs = 0
  let seq = 0
  const next = (): string => {
    msecs = Math.max(msecs, now().getTime())
    const id = v7({ msecs, seq: seq++, random: Uint8Array.from({ length: 16 }, random.byte) })
    return isTaken(id) ? next() : id
  }
  return {
    next,
    reset() {
      msecs = 0
      seq = 0
    },
  }
}
