import { type Column, cellsOf, tabSeparated } from './columns.js'
import { canShowLive, showTable, terminalSize, writeAll } from './output.js'

/** A list that may have no end in sight: rows are taken as they are needed. */
export type List<Row> = {
  /** What the rows are called in JSON. */
  name: string
  columns: Column<Row>[]
  rows: AsyncIterable<Row>
  /** Says in words that there is no row. */
  nothing: string
}

/**
 * Prints a list in constant memory: as JSON, or tab-separated. On a terminal it is a table, and one to scroll in
 * where it is higher than the terminal.
 */
export async function showList<Row>(list: List<Row>, json = false): Promise<void> {
  if (json) return writeAll(jsonOf(list))
  if (!process.stdout.isTTY) return writeAll(linesOf(list))

  const rows = list.rows[Symbol.asyncIterator]()
  const fits = Math.max(terminalSize().height - 2, 1)
  const start = await take(rows, fits + 1)
  if (start.length > fits && canShowLive()) {
    const { scroll } = await import('../terminal/scroll.js')
    return scroll({ columns: list.columns, start, more: () => take(rows, 500) })
  }
  if (start.length > fits) return writeAll(linesOf({ ...list, rows: joined(start, rows) }))
  await showTable({ ...list, data: undefined, rows: start })
}

async function* jsonOf<Row>({ name, rows }: List<Row>): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:[`
  let between = ''
  for await (const row of rows) {
    yield between + JSON.stringify(row)
    between = ','
  }
  yield ']}\n'
}

async function* linesOf<Row>({ columns, rows }: List<Row>): AsyncGenerator<string> {
  yield `${tabSeparated(columns, []).join('\n')}\n`
  for await (const row of rows) yield `${cellsOf(columns, [row])[0]?.join('\t')}\n`
}

async function* joined<Row>(start: Row[], rest: AsyncIterator<Row>): AsyncGenerator<Row> {
  yield* start
  yield* { [Symbol.asyncIterator]: () => rest }
}

async function take<Row>(rows: AsyncIterator<Row>, count: number): Promise<Row[]> {
  const taken: Row[] = []
  while (taken.length < count) {
    const { done, value } = await rows.next()
    if (done) break
    taken.push(value)
  }
  return taken
}
