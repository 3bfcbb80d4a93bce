import { Box, Text } from 'ink'
import type { Tone } from '../../output/columns.js'
import { columnGap, type Fitted, fitColumns } from '../../output/fit-columns.js'

export type TableProps = {
  columns: Fitted[]
  /** The rows, with a cell for each column. */
  cells: string[][]
  /** What the cells mean; in plain colour where it is left out. */
  tones?: (Tone | undefined)[][]
  /** Cells to be as wide as too: those of rows that are not shown. */
  others?: string[][]
  /** Shown where there is no row. */
  nothing: string
  /** The terminal's width. */
  width: number
}

/** A list as wide as it needs, and no wider than the terminal: cells are cut, never wrapped. */
export function Table({ columns, cells, tones = [], others = [], nothing, width }: TableProps) {
  if (cells.length === 0) return <Text dimColor>{nothing}</Text>
  const widths = fitColumns(columns, [...others, ...cells], width)
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
              <Text key={line} wrap="truncate" {...looks(tones[line]?.[i])}>
                {row[i] || ' '}
              </Text>
            ))}
          </Box>
        ),
      )}
    </Box>
  )
}

const colours = { good: 'green', bad: 'red' }

const looks = (tone: Tone | undefined) =>
  tone === 'faint' ? { dimColor: true } : tone ? { color: colours[tone] } : {}
