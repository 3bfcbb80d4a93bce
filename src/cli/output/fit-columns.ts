/** What a column is headed with, whether it gives way where the terminal is too narrow, and down to what width. */
export type Fitted = { title: string; yields?: boolean; least?: number }

/** The space between two columns. */
export const columnGap = 2

/** A column that yields is not narrowed below this, unless it says so: with fewer letters a cell says nothing. */
const narrowest = 8

/**
 * The widths with which columns fit a terminal. Those that yield are narrowed first, the widest most; where that
 * is not enough they are left out, the last one first; only then are the others cut.
 * @param cells the rows, with a cell for each column
 * @param width that of the terminal
 * @returns a width for each column, 0 for one that is left out
 */
export function fitColumns(columns: Fitted[], cells: string[][], width: number): number[] {
  const widths = columns.map(({ title }, i) =>
    cells.reduce((widest, row) => Math.max(widest, lengthOf(row[i] ?? '')), lengthOf(title)),
  )
  const least = widths.map((natural, i) =>
    columns[i]?.yields ? Math.min(natural, columns[i].least ?? narrowest) : natural,
  )
  for (const i of [...widths.keys()].reverse()) {
    if (columns[i]?.yields && total(least) > width) widths[i] = least[i] = 0
  }
  if (total(least) > width) least.fill(1)

  while (total(widths) > width) {
    const spare = widths.map((each, i) => (each > (least[i] ?? 0) ? each : 0))
    const widest = Math.max(...spare)
    if (widest === 0) break
    widths[spare.indexOf(widest)] = widest - 1
  }
  return widths
}

const lengthOf = (text: string): number => [...text].length

/** What the columns that are shown take, with the space between them. */
function total(widths: number[]): number {
  const shown = widths.filter((width) => width > 0)
  return shown.reduce((sum, width) => sum + width, 0) + columnGap * Math.max(0, shown.length - 1)
}
