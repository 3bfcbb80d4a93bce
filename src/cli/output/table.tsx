import { Box } from 'ink'
import type { Tone } from './columns.js'
import { type ColumnLayout, columnGap, fitColumns } from './fit-columns.js'
import { Text } from './text.js'

export type TableProps = {
  columns: ColumnLayout[]
  /** The rows, with a cell for each column. */
  cells: string[][]
  /** The tone of each cell. */
  tones?: (Tone | undefined)[][]
  /** Further rows that count for the widths of the columns but are not shown. */
  measured?: string[][]
  /** The index of a row that is highlighted. */
  selected?: number
  /** Shown if there is no row. */
  emptyText: string
  /** The terminal's width. */
  width: number
}

/** A table that is at most as wide as the terminal. Cells are cut, never wrapped. */
export function Table({ columns, cells, tones = [], measured = [], selected, emptyText, width }: TableProps) {
  if (cells.length === 0) return <Text dimColor>{emptyText}</Text>
  const widths = fitColumns(columns, [...measured, ...cells], width)
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
              <Text key={line} wrap="truncate" inverse={line === selected} {...styleOf(tones[line]?.[i])}>
                {(row[i] || ' ').padEnd(line === selected ? (widths[i] ?? 0) : 0)}
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
