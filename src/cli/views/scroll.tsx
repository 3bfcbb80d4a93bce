import { render, useApp, useInput } from 'ink'
import { useEffect, useState } from 'react'
import { terminalSize } from '../output.js'
import { type Column, cellsOf, tonesOf } from '../table.js'
import { ScrollingTable } from './scrolling-table.js'

export type Scrolled<Row> = {
  columns: Column<Row>[]
  /** The first rows. */
  start: Row[]
  /** The next rows, for when the reader gets near the end; none at the end. */
  more(): Promise<Row[]>
}

/** Shows a list that is higher than the terminal until the reader quits it. */
export async function scroll<Row>(list: Scrolled<Row>): Promise<void> {
  await render(<Scroll {...list} />).waitUntilExit()
}

/** A list to scroll in, with the keys of a pager. */
export function Scroll<Row>({ columns, start, more }: Scrolled<Row>) {
  const { exit } = useApp()
  const [rows, setRows] = useState(start)
  const [isWhole, setWhole] = useState(false)
  const [first, setFirst] = useState(0)
  const { width, height } = useTerminalSize()
  const shown = Math.max(1, height - linesAround)
  const last = Math.max(0, rows.length - shown)

  useInput((key, { downArrow, upArrow, pageDown, pageUp, home }) => {
    if (key === 'q') return exit()
    const step =
      downArrow || key === 'j'
        ? 1
        : upArrow || key === 'k'
          ? -1
          : pageDown || key === ' '
            ? shown
            : pageUp || key === 'b'
              ? -shown
              : home || key === 'g'
                ? -first
                : 0
    setFirst((now) => Math.max(0, Math.min(now + step, last)))
  })

  const isNearEnd = !isWhole && first + 2 * shown >= rows.length
  useEffect(() => {
    if (!isNearEnd) return
    let isGone = false
    void more().then((next) => {
      if (isGone) return
      if (next.length === 0) setWhole(true)
      else setRows((before) => [...before, ...next])
    }, exit)
    return () => {
      isGone = true
    }
  }, [isNearEnd, more, exit])

  const view = rows.slice(first, first + shown)
  return (
    <ScrollingTable
      columns={columns}
      cells={cellsOf(columns, view)}
      tones={tonesOf(columns, view)}
      others={cellsOf(columns, start)}
      first={first}
      loaded={rows.length}
      isWhole={isWhole}
      width={width}
    />
  )
}

/** The head of the table, the line below it, and the one that the cursor is left on. */
const linesAround = 3

function useTerminalSize() {
  const [size, setSize] = useState(terminalSize())
  useEffect(() => {
    const measure = () => setSize(terminalSize())
    process.stdout.on('resize', measure)
    return () => void process.stdout.off('resize', measure)
  }, [])
  return size
}
