import { Box } from 'ink'
import { formatCount } from '../../output/pluralize.js'
import { Table, type TableProps } from './table.js'
import { Text } from './text.js'

export type ScrollingTableProps = Omit<TableProps, 'emptyText'> & {
  /** The index of the first visible row. */
  first: number
  /** The number of rows loaded so far. */
  loaded: number
  /** Whether all rows are loaded. */
  isComplete: boolean
}

/** The visible rows of a list, and their position in it. */
export function ScrollingTable({ first, loaded, isComplete, ...table }: ScrollingTableProps) {
  const last = first + table.cells.length
  return (
    <Box flexDirection="column">
      <Table {...table} emptyText="" />
      <Text dimColor wrap="truncate">
        {`${formatCount(first + 1)} to ${formatCount(last)} of ${formatCount(loaded)}${isComplete ? '' : ' or more'}`}
        {'   ↑ ↓ space b g to move, q to quit'}
      </Text>
    </Box>
  )
}
