import { Box, Text } from 'ink'
import { columnGap, type Fitted, fitColumns } from '../fit-columns.js'

export type TableProps = {
  columns: Fitted[]
  /** The rows, with a cell for each column. */
  cells: string[][]
  /** Shown where there is no row. */
  nothing: string
  /** The terminal's width. */
  width: number
}

/** A list as wide as it needs, and no wider than the terminal: cells are cut, never wrapped. */
export function Table({ columns, cells, nothing, width }: TableProps) {
  if (cells.length === 0) return <Text dimColor>{nothing}</Text>
  const widths = fitColumns(columns, cells, width)
  return (
    <Box columnGap={columnGap}>
      {columns.map(({ title }, i) =>
        widths[i] === 0 ? null : (
          <Box key={title} flexDirection="column" flexShrink={0} width={widths[i]}>
            <Text bold underline wrap="truncate">
              {title}
            </Text>
            {cells.map((row, line) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity, and cells have no state
              <Text key={line} wrap="truncate">
                {row[i] || ' '}
              </Text>
            ))}
          </Box>
        ),
      )}
    </Box>
  )
}
