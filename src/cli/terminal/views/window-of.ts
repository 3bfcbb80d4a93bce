/**
 * The part of a list that is shown: the one at `index` is in it, in the middle where that is possible.
 * @returns from and to, the latter not included
 */
export function windowOf(length: number, index: number, height: number): [from: number, to: number] {
  const rows = Math.max(1, height)
  const from = Math.max(0, Math.min(index - Math.floor(rows / 2), length - rows))
  return [from, Math.min(length, from + rows)]
}
