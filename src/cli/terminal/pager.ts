import { type Column, cellsOf, tonesOf } from '../output/columns.js'
import { terminalSize } from '../output/output.js'
import type { KeyPress } from './key-press.js'
import { showLive } from './live.js'
import { ScrollingTable } from './views/scrolling-table.js'

export type PagerOptions<Row> = {
  columns: Column<Row>[]
  firstRows: Row[]
  /** Loads the next rows; none at the end of the list. */
  loadMore(): Promise<Row[]>
}

/** The header of the table and the status line below it. */
const otherLines = 2

/** Shows a list that is higher than the terminal, with the keys of a pager, until the user quits. */
export async function showPager<Row>({ columns, firstRows, loadMore }: PagerOptions<Row>): Promise<void> {
  const rows = [...firstRows]
  let isComplete = false
  let first = 0
  let isLoading = false
  let redraw = () => {}
  let quit: (error?: unknown) => void = () => {}
  const done = new Promise<void>((resolve, reject) => {
    quit = (error) => (error ? reject(error) : resolve())
  })

  const pageHeight = () => Math.max(1, terminalSize().height - otherLines)

  const load = async () => {
    if (isLoading || isComplete || first + 2 * pageHeight() < rows.length) return
    isLoading = true
    const next = await loadMore()
    rows.push(...next)
    isComplete = next.length === 0
    isLoading = false
    redraw()
    await load()
  }

  const handleKey = (key: string) => {
    if (key === 'q' || key === 'interrupt' || key === 'escape') return quit()
    const steps: Record<string, number> = {
      down: 1,
      j: 1,
      up: -1,
      k: -1,
      pageDown: pageHeight(),
      ' ': pageHeight(),
      pageUp: -pageHeight(),
      b: -pageHeight(),
      home: -first,
      g: -first,
    }
    first = Math.max(0, Math.min(first + (steps[key] ?? 0), rows.length - pageHeight()))
  }

  const onKeyPress = (press: KeyPress) => {
    // A key that is held down arrives as several letters at once.
    for (const key of press.key ? [press.key] : press.text) handleKey(key)
    redraw()
    load().catch(quit)
  }

  const view = await showLive(({ width }) => {
    const page = rows.slice(first, first + pageHeight())
    return ScrollingTable({
      columns,
      cells: cellsOf(columns, page),
      tones: tonesOf(columns, page),
      measured: cellsOf(columns, firstRows),
      first,
      loaded: rows.length,
      isComplete,
      width,
    })
  }, onKeyPress)
  redraw = view.redraw
  load().catch(quit)
  try {
    await Promise.race([done, view.ended])
  } finally {
    await view.stop()
  }
}
