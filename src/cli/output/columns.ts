import type { ColumnLayout } from './fit-columns.js'
import { printable } from './printable.js'

export type Colour = 'green' | 'yellow' | 'red' | 'magenta'
/** How a cell is coloured: a good state, a bad one, a detail, or in a colour of its own. */
export type Tone = 'good' | 'bad' | 'faint' | Colour

export type Column<Row> = ColumnLayout & {
  value(row: Row): string
  tone(row: Row): Tone | undefined
}

/** The cells of each row, in plain text. */
export const cellsOf = <Row>(columns: Column<Row>[], rows: Row[]): string[][] =>
  rows.map((row) => columns.map(({ value }) => printable(value(row))))

/** The tone of each cell. */
export const tonesOf = <Row>(columns: Column<Row>[], rows: Row[]): (Tone | undefined)[][] =>
  rows.map((row) => columns.map(({ tone }) => tone(row)))

/** The output for pipes: a header and one line per row, separated by tabs. */
export const tabSeparated = <Row>(columns: Column<Row>[], rows: Row[]): string[] =>
  [columns.map(({ title }) => title), ...cellsOf(columns, rows)].map((cells) => cells.join('\t'))

type Source<Row> = (keyof Row & string) | ((row: Row) => unknown)

/**
 * The columns of a table by their titles: the field of a cell, or a function of the row, then its tone and its least width. A
 * title that ends with a star is that of a column that is narrowed where the terminal is narrow.
 */
export type Columns<Row> = {
  [title: string]:
    | Source<Row>
    | [source: Source<Row>, tone?: Tone | ((row: Row) => Tone | undefined), minWidth?: number]
}

export const columnsOf = <Row>(columns: Columns<Row>): Column<Row>[] =>
  Object.entries(columns).map(([title, column]) => {
    const [source, tone, minWidth] = typeof column === 'object' ? column : [column]
    return {
      title: title.replace('*', ''),
      shrinks: title.endsWith('*'),
      minWidth,
      value: (row) =>
        [(typeof source === 'function' ? source(row) : row[source as keyof Row]) ?? ''].flat().join(' '),
      tone: (row) => (typeof tone === 'function' ? tone(row) : tone),
    }
  })
