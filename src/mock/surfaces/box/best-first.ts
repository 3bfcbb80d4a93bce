/**
 * Sorts the items that match typed words (in lower case). A name of which a word begins so comes before one that only
 * contains it, and the word that fewer names have before a common one: `m` is acme-member, not acme-owner.
 */
export function bestFirst<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  typed: readonly string[],
): Item[] {
  const all = items.map((item) => {
    const name = nameOf(item)
    return { item, name: name.toLowerCase(), words: wordsOf(name) }
  })
  const counts = new Map<string, number>()
  for (const { words } of all) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const costs = new Map(
    all.map(({ item, name, words }) => {
      const cost = (text: string): number => {
        if (name === text) return 0
        const shares = [...words].filter((word) => word.startsWith(text)).map((word) => counts.get(word) ?? 0)
        if (shares.length > 0 || name.startsWith(text)) return Math.min(items.length, ...shares)
        return items.length + (name.includes(text) ? 1 : 2)
      }
      return [item, typed.reduce((sum, text) => sum + cost(text), 0)]
    }),
  )
  const costOf = (item: Item) => costs.get(item) ?? 0
  return items.toSorted((a, b) => costOf(a) - costOf(b))
}

const wordsOf = (name: string): Set<string> =>
  new Set(
    name
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  )
