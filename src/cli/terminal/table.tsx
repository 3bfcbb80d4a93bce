import { Box } from 'ink'
import type { Columns, Style } from '../output/columns.js'
import { gap, layoutTable } from '../output/layout-table.js'
import { Text } from './text.js'

type TableProps<Row> = {
  columns: Columns<Row>
  rows: Row[]
  /** Further rows that count for the widths of the columns but are not shown. */
  measured: Row[]
  /** The index of a row that is highlighted. */
  selected: number | undefined
  /** The terminal's width. */
  width: number
}

/** A table that is at most as wide as the terminal. */
export function Table<Row>({ columns, rows, measured, selected, width }: TableProps<Row>) {
  const { header, cellsOf } = layoutTable(columns, [...rows, ...measured], width)
  return (
    <Box flexDirection="column">
      <Text bold underline wrap="truncate">
        {header}
      </Text>
      {rows.map((row, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity, and cells have no state
        <Text key={line} wrap="truncate" inverse={line === selected}>
          {cellsOf(row).map(({ title, text, style }, i) => (
            <Text key={title} {...propsOf(style)}>{`${i > 0 ? gap : ''}${text}`}</Text>
          ))}
        </Text>
      ))}
    </Box>
  )
}

const propsOf = (style: Style | undefined) => (style === 'dim' ? { dimColor: true } : { color: style })
