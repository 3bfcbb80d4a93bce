import { type Column, cellsOf, tabSeparated } from './columns.js'
import { canShowLive, showTable, terminalSize, writeAll } from './output.js'

/** A list of any length; its rows are read as they are needed. */
export type List<Row> = {
  /** The property of the rows in JSON. */
  name: string
  columns: Column<Row>[]
  rows: AsyncIterable<Row>
  /** Shown on a terminal if there is no row. */
  emptyText: string
}

/** Prints a list in constant memory. On a terminal a list that is higher than the screen opens in a pager. */
export async function showList<Row>(list: List<Row>, json = false): Promise<void> {
  if (json) return writeAll(jsonChunks(list), true)
  if (!process.stdout.isTTY) return writeAll(tabSeparatedChunks(list))

  const rows = list.rows[Symbol.asyncIterator]()
  const maxRows = Math.max(terminalSize().height - 2, 1)
  const firstRows = await take(rows, maxRows + 1)
  if (firstRows.length <= maxRows) return showTable({ ...list, data: undefined, rows: firstRows })
  if (!canShowLive()) return writeAll(tabSeparatedChunks({ ...list, rows: concat(firstRows, rows) }))
  const { showPager } = await import('../terminal/pager.js')
  await showPager(list.columns, firstRows, () => take(rows, 500))
}

async function* jsonChunks<Row>({ name, rows }: List<Row>): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:[`
  let separator = ''
  for await (const row of rows) {
    yield separator + JSON.stringify(row)
    separator = ','
  }
  yield ']}\n'
}

async function* tabSeparatedChunks<Row>({ columns, rows }: List<Row>): AsyncGenerator<string> {
  yield `${tabSeparated(columns, []).join('\n')}\n`
  for await (const row of rows) yield `${cellsOf(columns, [row])[0]?.join('\t')}\n`
}

async function* concat<Row>(firstRows: Row[], rest: AsyncIterator<Row>): AsyncGenerator<Row> {
  yield* firstRows
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
