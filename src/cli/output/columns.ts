import { printable } from './printable.js'

export type Style = 'green' | 'yellow' | 'red' | 'magenta' | 'cyan' | 'dim'

type Source<Row> = (keyof Row & string) | ((row: Row) => unknown)

/**
 * The columns of a table by their titles: the field of a cell, or a function of the row, then its style and its least width. A
 * title that ends with a star is that of a column that is narrowed where the terminal is narrow.
 */
export type Columns<Row> = {
  [title: string]:
    | Source<Row>
    | [source: Source<Row>, style?: Style | ((row: Row) => Style | undefined), minWidth?: number]
}

/** With `shrinks`, a column is narrowed to `minWidth` characters, then left out. Without it, it is narrowed last. */
export type Column<Row> = {
  title: string
  shrinks: boolean
  minWidth: number
  value(row: Row): string
  style(row: Row): Style | undefined
}

const defaultMinWidth = 8

export const columnsOf = <Row>(columns: Columns<Row>): Column<Row>[] =>
  Object.entries(columns).map(([title, column]) => {
    const [source, style, minWidth = defaultMinWidth] = typeof column === 'object' ? column : [column]
    const cellOf = (row: Row) => (typeof source === 'function' ? source(row) : row[source as keyof Row])
    return {
      title: title.replace('*', ''),
      shrinks: title.endsWith('*'),
      minWidth,
      value: (row) => printable([cellOf(row) ?? ''].flat().join(' ')),
      style: (row) => (typeof style === 'function' ? style(row) : style),
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
