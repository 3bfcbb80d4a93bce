/** Iterates over pages, and reads the next one while the current one is used. */
export async function* readAhead<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  const iterator = pages[Symbol.asyncIterator]()
  let next = iterator.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = iterator.next()
      // Its error is thrown when its turn comes; until then nothing waits for it.
      next.catch(() => {})
      yield value
    }
  } finally {
    await next.catch(() => {})
    await iterator.return?.()
  }
}
