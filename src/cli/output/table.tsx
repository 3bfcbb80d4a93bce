import { Box } from 'ink'
import { type Columns, columnsOf, type Tone } from './columns.js'
import { columnGap, fitColumns } from './fit-columns.js'
import { Text } from './text.js'

export type TableProps<Row> = {
  columns: Columns<Row>
  rows: Row[]
  /** Further rows that count for the widths of the columns but are not shown. */
  measured?: Row[]
  /** The index of a row that is highlighted. */
  selected?: number | undefined
  /** Shown if there is no row. */
  emptyText?: string
  /** The terminal's width. */
  width: number
}

/** A table that is at most as wide as the terminal. Cells are cut, never wrapped. */
export function Table<Row>({ rows, measured = [], selected, emptyText, width, ...data }: TableProps<Row>) {
  if (rows.length === 0) return <Text dimColor>{emptyText}</Text>
  const columns = columnsOf(data.columns)
  const cells = [...rows, ...measured].map((row) => columns.map(({ value }) => value(row)))
  const widths = fitColumns(columns, cells, width)
  return (
    <Box columnGap={columnGap}>
      {columns.map(({ title, tone }, i) =>
        widths[i] === 0 ? null : (
          <Box key={title} flexDirection="column" flexShrink={0} width={widths[i]}>
            <Text bold underline wrap="truncate">
              {title}
            </Text>
            {rows.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity, and cells have no state
              <Text key={line} wrap="truncate" inverse={line === selected} {...styleOf(tone(row))}>
                {(cells[line]?.[i] || ' ').padEnd(line === selected ? (widths[i] ?? 0) : 0)}
              </Text>
            ))}
          </Box>
        ),
      )}
    </Box>
  )
}

const colours = { good: 'green', bad: 'red' }

const styleOf = (tone: Tone | undefined) =>
  tone === 'faint' ? { dimColor: true } : { color: colours[tone as keyof typeof colours] ?? tone }
