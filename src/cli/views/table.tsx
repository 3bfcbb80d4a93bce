import { Box, Text } from 'ink'

export type TableProps = {
  columns: { title: string; yields?: boolean }[]
  cells: string[][]
  /** Shown where there is no row. */
  nothing: string
}

/** A list as wide as it needs, and no wider than the terminal: cells are cut, never wrapped. */
export function Table({ columns, cells, nothing }: TableProps) {
  if (cells.length === 0) return <Text dimColor>{nothing}</Text>
  return (
    <Box columnGap={2}>
      {columns.map(({ title, yields }, i) => (
        <Box key={title} flexDirection="column" flexShrink={yields ? 100 : 1} minWidth={yields ? 4 : 1}>
          <Text bold underline wrap="truncate">
            {title}
          </Text>
          {cells.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other identity, and a frame is drawn once
            <Text key={line} wrap="truncate">
              {row[i] || ' '}
            </Text>
          ))}
        </Box>
      ))}
    </Box>
  )
}
