/** How many rows are read at a time: enough that reading them one page after the other costs little. */
const pageSize = 1000

/**
 * Rows without end in constant memory: a page is read when the one before is used up.
 * @param read the rows after this one, or the first ones; fewer than the limit at the end
 */
export async function* pagesOf<Row>(
  read: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined
  for (;;) {
    const page = await read(last, pageSize)
    yield* page
    if (page.length < pageSize) return
    last = page.at(-1)
  }
}
