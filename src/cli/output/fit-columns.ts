/** With `shrinks`, a column is narrowed to `minWidth` characters, then left out. Without it, it is narrowed last. */
export type ColumnLayout = { title: string; shrinks?: boolean; minWidth?: number | undefined }

/** The space between two columns. */
export const columnGap = 2

const defaultMinWidth = 8

/**
 * Computes column widths that fit a terminal. Columns that shrink are narrowed first, the widest most. If that is not
 * enough, they are left out, the last one first. Only then are the others cut.
 * @param cells the rows, with a cell for each column
 * @param width of the terminal
 * @returns a width for each column, 0 for a column that is left out
 */
export function fitColumns(columns: ColumnLayout[], cells: string[][], width: number): number[] {
  const widths = columns.map(({ title }, i) =>
    cells.reduce((widest, row) => Math.max(widest, lengthOf(row[i] ?? '')), lengthOf(title)),
  )
  const minWidths = widths.map((natural, i) =>
    columns[i]?.shrinks ? Math.min(natural, columns[i].minWidth ?? defaultMinWidth) : natural,
  )
  for (const i of [...widths.keys()].reverse()) {
    if (columns[i]?.shrinks && totalWidth(minWidths) > width) widths[i] = minWidths[i] = 0
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

/** Letters of East Asia and emoji, which take two columns. */
const wide = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{Emoji_Presentation}\u3000\uFF01-\uFF60]/u

/** How many columns of the terminal a text takes. */
const lengthOf = (text: string): number => [...text].reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0)

/** The width of a row, gaps included. */
function totalWidth(widths: number[]): number {
  const visible = widths.filter((width) => width > 0)
  return visible.reduce((sum, width) => sum + width, 0) + columnGap * Math.max(0, visible.length - 1)
}
