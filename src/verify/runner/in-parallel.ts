/** How many requests a service gets at a time: fewer than it allows a client. */
const limit = 12

/** Runs a function for each item, a few at a time. The results are in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = items.entries()
  const work = async () => {
    for (const [i, item] of waiting) results[i] = await run(item)
  }
  await Promise.all(Array.from({ length: limit }, work))
  return results
}
