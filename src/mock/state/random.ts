/** The random source of ids, delays and chaos. With a seed it is reproducible (mulberry32). */
export type Random = ReturnType<typeof createRandom>

/** @param seed any number; without one the numbers are not reproducible */
export function createRandom(seed?: number) {
  let state = (seed ?? 0) | 0
  const next = () => {
    if (seed === undefined) return Math.random()
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    byte: () => Math.floor(next() * 256),
    /** Returns an integer between both bounds, inclusive. */
    between: (from: number, to: number) => from + Math.floor(next() * (to - from + 1)),
    /** Returns a number from 0 to 1, exclusive. */
    fraction: next,
    /** Restarts from the seed. */
    reset() {
      state = (seed ?? 0) | 0
    },
  }
}
