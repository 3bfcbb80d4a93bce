import { Box, Text } from 'ink'
import { formatCount } from '../../output/pluralize.js'
import { Table, type TableProps } from './table.js'

export type ScrollingTableProps = Omit<TableProps, 'nothing'> & {
  /** The place of the first row that is shown, from 0. */
  first: number
  /** How many rows are known so far. */
  loaded: number
  /** Whether these are all. */
  isWhole: boolean
}

/** A part of a list, and where in the list it is. */
export function ScrollingTable({ first, loaded, isWhole, ...table }: ScrollingTableProps) {
  const last = first + table.cells.length
  return (
    <Box flexDirection="column">
      <Table {...table} nothing="" />
      <Text dimColor wrap="truncate">
        {`${formatCount(first + 1)} to ${formatCount(last)} of ${formatCount(loaded)}${isWhole ? '' : ' or more'}`}
        {'   ↑ ↓ space b g to move, q quits'}
      </Text>
    </Box>
  )
}
