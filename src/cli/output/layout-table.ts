import cliTruncate from 'cli-truncate'
import stringWidth from 'string-width'
import { type Column, type Columns, columnsOf, type Style } from './columns.js'

/** Between two columns. */
export const gap = '  '

type Cell = { title: string; text: string; style: Style | undefined }

/**
 * Lays out a table for a terminal. Cells are cut to the width of their column, never wrapped.
 * @param measured the rows that the widths of the columns are computed from
 * @param width of the terminal
 */
export function layoutTable<Row>(columns: Columns<Row>, measured: Row[], width: number) {
  const all = columnsOf(columns)
  const widths = fitColumns(all, measured, width)
  const visible = all.flatMap((column, i) => (widths[i] ? [{ ...column, width: widths[i] }] : []))
  return {
    header: visible.map((column) => cutOrPad(column.title, column.width)).join(gap),
    cellsOf: (row: Row): Cell[] =>
      visible.map((column) => ({
        title: column.title,
        text: cutOrPad(column.textOf(row), column.width),
        style: column.styleOf(row),
      })),
  }
}

/** The cells of a row in a line. @param paint adds the style of a cell */
export const joinCells = (cells: Cell[], paint: (style: Style, text: string) => string): string =>
  cells
    .map(({ text, style }) => (style ? paint(style, text) : text))
    .join(gap)
    .trimEnd()

/** The text in exactly the given columns of a terminal. */
export function cutOrPad(text: string, width: number): string {
  let cut = cliTruncate(text, width)
  // The library lets a letter of two columns pass the end.
  if (stringWidth(cut) > width) cut = cliTruncate(text, width - 1)
  return cut + ' '.repeat(width - stringWidth(cut))
}

/**
 * Computes column widths that fit a terminal. Columns with a `minWidth` are narrowed first, the widest most. If that is
 * not enough, they are left out, the last one first. Only then are the others cut.
 * @returns a width for each column, 0 for a column that is left out
 */
function fitColumns<Row>(columns: Column<Row>[], rows: Row[], width: number): number[] {
  const widths = columns.map(({ title, textOf }) =>
    rows.reduce((widest, row) => Math.max(widest, stringWidth(textOf(row))), stringWidth(title)),
  )
  const minWidths = widths.map((natural, i) => Math.min(natural, columns[i]?.minWidth ?? natural))
  for (const i of [...widths.keys()].reverse()) {
    if (columns[i]?.minWidth !== undefined && totalWidth(minWidths) > width) widths[i] = minWidths[i] = 0
  }
  if (totalWidth(minWidths) > width) minWidths.fill(1)

  while (totalWidth(widths) > width) {
    const reducible = widths.map((current, i) => (current > (minWidths[i] ?? 0) ? current : 0))
    const widest = Math.max(...reducible)
    if (widest === 0) break
    widths[reducible.indexOf(widest)] = widest - 1
  }
  return widths
}

/** The width of a row, gaps included. */
function totalWidth(widths: number[]): number {
  const visible = widths.filter((width) => width > 0)
  return visible.reduce((sum, width) => sum + width, 0) + gap.length * Math.max(0, visible.length - 1)
}
