import type { ColumnLayout } from './fit-columns.js'
import { printable } from './printable.js'

export type Colour = 'green' | 'yellow' | 'red' | 'magenta'
/** How a cell is coloured: a good state, a bad one, a detail, or in a colour of its own. */
export type Tone = 'good' | 'bad' | 'faint' | Colour

export type Column<Row> = ColumnLayout & {
  value(row: Row): string | undefined
  tone?(row: Row): Tone | undefined
}

/** The cells of each row, in plain text. */
export const cellsOf = <Row>(columns: Column<Row>[], rows: Row[]): string[][] =>
  rows.map((row) => columns.map(({ value }) => printable(value(row) ?? '')))

/** The tone of each cell. */
export const tonesOf = <Row>(columns: Column<Row>[], rows: Row[]): (Tone | undefined)[][] =>
  rows.map((row) => columns.map(({ tone }) => tone?.(row)))

/** The output for pipes: a header and one line per row, separated by tabs. */
export const tabSeparated = <Row>(columns: Column<Row>[], rows: Row[]): string[] =>
  [columns.map(({ title }) => title), ...cellsOf(columns, rows)].map((cells) => cells.join('\t'))

/**
 * Columns as a text and a function.
 * @param titles separated by commas; a column with a star is narrowed where the terminal is narrow
 * @param cells those of a row, in the same order
 * @param tones of cells, by the title of their column
 */
export const columnsOf = <Row>(
  titles: string,
  cells: (row: Row) => (string | undefined)[],
  tones: Record<string, (row: Row) => Tone | undefined> = {},
): Column<Row>[] =>
  titles.split(', ').map((text, i) => {
    const title = text.replace('*', '')
    const tone = tones[title]
    return {
      title,
      value: (row) => cells(row)[i],
      shrinks: text.endsWith('*'),
      ...(tone && { tone }),
    }
  })
