import { type Column, cellsOf, tonesOf } from '../output/columns.js'
import { terminalSize } from '../output/output.js'
import type { Press } from './key-press.js'
import { showLive } from './live.js'
import { ScrollingTable } from './views/scrolling-table.js'

export type Scrolled<Row> = {
  columns: Column<Row>[]
  /** The first rows. */
  start: Row[]
  /** The next rows, for when the reader gets near the end; none at the end. */
  more(): Promise<Row[]>
}

/** The head of the table and the line below it. */
const linesAround = 2

/** Shows a list that is higher than the terminal until the reader quits it; with the keys of a pager. */
export async function scroll<Row>({ columns, start, more }: Scrolled<Row>): Promise<void> {
  const rows = [...start]
  let isWhole = false
  let first = 0
  let isLoading = false
  let redraw = () => {}
  let quit: (error?: unknown) => void = () => {}
  const over = new Promise<void>((resolve, reject) => {
    quit = (error) => (error ? reject(error) : resolve())
  })

  const shown = () => Math.max(1, terminalSize().height - linesAround)

  const load = async () => {
    if (isLoading || isWhole || first + 2 * shown() < rows.length) return
    isLoading = true
    const next = await more()
    rows.push(...next)
    isWhole = next.length === 0
    isLoading = false
    redraw()
    await load()
  }

  const move = (key: string) => {
    if (key === 'q' || key === 'interrupt' || key === 'escape') return quit()
    const steps: Record<string, number> = {
      down: 1,
      j: 1,
      up: -1,
      k: -1,
      pageDown: shown(),
      ' ': shown(),
      pageUp: -shown(),
      b: -shown(),
      home: -first,
      g: -first,
    }
    first = Math.max(0, Math.min(first + (steps[key] ?? 0), rows.length - shown()))
  }

  const onPress = (press: Press) => {
    // A key that is held down comes as several letters at once.
    for (const key of press.key ? [press.key] : press.text) move(key)
    redraw()
    load().catch(quit)
  }

  const screen = await showLive(({ width, height }) => {
    const view = rows.slice(first, first + Math.max(1, height - linesAround))
    return ScrollingTable({
      columns,
      cells: cellsOf(columns, view),
      tones: tonesOf(columns, view),
      others: cellsOf(columns, start),
      first,
      loaded: rows.length,
      isWhole,
      width,
    })
  }, onPress)
  redraw = screen.redraw
  load().catch(quit)
  try {
    await Promise.race([over, screen.ended])
  } finally {
    await screen.stop()
  }
}
