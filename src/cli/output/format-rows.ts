/**
 * Rows are written in chunks: a write for each row would take longer than producing it. The first chunk is small, so that the
 * first lines appear soon.
 */
const [firstChunkSize, chunkSize] = [100, 1000]

/**
 * Formats rows as text in chunks, so that memory use is constant.
 * @param format returns the text of the rows of a chunk
 * @param around the text before the first chunk, between two chunks, and after the last one
 */
export async function* formatRows<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  format: (rows: Row[]) => string,
  { start = '', between = '', end = '' } = {},
): AsyncGenerator<string> {
  yield start
  let chunk: Row[] = []
  let separator = ''
  let size = firstChunkSize
  for await (const row of rows) {
    if (chunk.push(row) < size) continue
    yield separator + format(chunk)
    separator = between
    chunk = []
    size = chunkSize
  }
  if (chunk.length > 0) yield separator + format(chunk)
  yield end
}
