/** The number of letters to add, remove or replace to make one text of another. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** The name that was probably meant: at most a third of its letters differ. Undefined if there is none. */
export function mostSimilar(wanted: string, names: readonly string[]): string | undefined {
  const limit = Math.floor(wanted.length / 3)
  const near = names
    // Names of another length differ by more.
    .filter((name) => Math.abs(name.length - wanted.length) <= limit)
    .map((name) => ({ name, away: distance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ away }) => away <= limit)
  return near.sort((a, b) => a.away - b.away)[0]?.name
}
