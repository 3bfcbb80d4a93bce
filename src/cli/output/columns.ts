import { printable } from './printable.js'

export type Style = 'green' | 'yellow' | 'red' | 'magenta' | 'cyan' | 'dim'

/** The field of a cell, or a function of the row. */
type Value<Row> = (keyof Row & string) | ((row: Row) => unknown)

type ColumnOptions<Row> = {
  value: Value<Row>
  style?: Style | ((row: Row) => Style | undefined)
  /**
   * Where the terminal is too narrow, the column is narrowed to this width, then left out. A column without it is cut
   * only if that is not enough.
   */
  minWidth?: number
}

/** The columns of a table by their titles. */
export type Columns<Row> = { [title: string]: Value<Row> | ColumnOptions<Row> }

export type Column<Row> = {
  title: string
  minWidth: number | undefined
  textOf(row: Row): string
  styleOf(row: Row): Style | undefined
}

export const columnsOf = <Row>(columns: Columns<Row>): Column<Row>[] =>
  Object.entries(columns).map(([title, column]) => {
    const { value, style, minWidth }: ColumnOptions<Row> =
      typeof column === 'object' ? column : { value: column }
    const cellOf = (row: Row) => (typeof value === 'function' ? value(row) : row[value])
    return {
      title,
      minWidth,
      textOf: (row) => printable([cellOf(row) ?? ''].flat().join(' ')),
      styleOf: (row) => (typeof style === 'function' ? style(row) : style),
    }
  })

/** The output for pipes, separated by tabs: a header, and the line of each row. */
export function tabSeparated<Row>(data: Columns<Row>) {
  const columns = columnsOf(data)
  return {
    header: columns.map(({ title }) => title).join('\t'),
    lineOf: (row: Row) => columns.map(({ textOf }) => textOf(row)).join('\t'),
  }
}
