// Random choices that a seed repeats (mulberry32), so that a failed run can be run again.

/** @param seed a whole number; @returns choices that are the same for the same seed */
export function createRandom(seed) {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** A whole number from 0 to `end`, `end` excluded. */
  const below = (end) => Math.floor(next() * end)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)],
    text: (length, alphabet) => Array.from({ length }, () => alphabet[below(alphabet.length)]).join(''),
  }
}
