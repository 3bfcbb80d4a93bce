import type { ColumnLayout } from './fit-columns.js'
import { printable } from './printable.js'

export type Colour = 'green' | 'yellow' | 'red' | 'magenta'
/** How a cell is coloured: a good state, a bad one, a detail, or in a colour of its own. */
export type Tone = 'good' | 'bad' | 'faint' | Colour

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

type Column<Row> = ColumnLayout & { value(row: Row): string; tone(row: Row): Tone | undefined }

export const columnsOf = <Row>(columns: Columns<Row>): Column<Row>[] =>
  Object.entries(columns).map(([title, column]) => {
    const [source, tone, minWidth] = typeof column === 'object' ? column : [column]
    const cellOf = (row: Row) => (typeof source === 'function' ? source(row) : row[source as keyof Row])
    return {
      title: title.replace('*', ''),
      shrinks: title.endsWith('*'),
      minWidth,
      value: (row) => printable([cellOf(row) ?? ''].flat().join(' ')),
      tone: (row) => (typeof tone === 'function' ? tone(row) : tone),
    }
  })

/** The output for pipes, separated by tabs: a header, and the line of each row. */
export function tabSeparated<Row>(data: Columns<Row>) {
  const columns = columnsOf(data)
  return {
    header: columns.map(({ title }) => title).join('\t'),
    lineOf: (row: Row) => columns.map(({ value }) => value(row)).join('\t'),
  }
}
