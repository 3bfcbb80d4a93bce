/** Rows per page, large enough that the cost of a page does not matter. */
const pageSize = 1000

/**
 * Reads rows page by page, so that memory use is constant.
 * @param readPage reads the rows after this one, or the first rows; fewer than the limit at the end
 */
export async function* readPages<Row>(
  readPage: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined
  for (;;) {
    const page = await readPage(last, pageSize)
    yield* page
    if (page.length < pageSize) return
    last = page.at(-1)
  }
}
