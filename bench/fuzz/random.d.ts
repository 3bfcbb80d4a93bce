/** Random choices that a seed repeats. */
export type Random = {
  /** A whole number from 0 to `end`, `end` excluded. */
  below(end: number): number
  chance(probability: number): boolean
  pick<Item>(list: readonly Item[]): Item
  text(length: number, alphabet: string): string
}

export function createRandom(seed: number): Random
