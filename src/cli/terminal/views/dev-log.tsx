import { Box } from 'ink'
import type { LogEntry } from '../../../mock/core/request-log.js'
import { type Column, cellsOf, tonesOf } from '../../output/columns.js'
import { isForced, requestText, responseText, statusColour, timeText } from '../../output/log-line.js'
import { type MockSnapshot, nextCommands } from '../dev/mock-snapshot.js'
import { Table } from './table.js'
import { Text } from './text.js'
import { visibleRange } from './visible-range.js'

type Props = { mock: MockSnapshot; selected?: number; width: number; height: number }

// On a narrow terminal the last columns are left out first.
const columns: Column<LogEntry>[] = [
  { title: 'Time', value: timeText, tone: () => 'faint' },
  { title: 'Request', value: requestText, shrinks: true, minWidth: 18 },
  {
    title: 'Response',
    value: responseText,
    tone: ({ status }) => statusColour(status),
    shrinks: true,
    minWidth: 28,
  },
  { title: 'Persona', value: ({ session }) => session ?? '-', shrinks: true, minWidth: 10 },
  {
    title: 'Decided by',
    value: ({ why }) => why,
    tone: (entry) => (isForced(entry) ? 'yellow' : 'faint'),
    shrinks: true,
    minWidth: 14,
  },
  { title: 'ms', value: ({ ms }) => String(Math.round(ms)), tone: () => 'faint', shrinks: true },
]

/** As much of the log as fits, newest first. Many entries count for the widths of the columns, so that these are stable. */
export function DevLog({ mock: { log, url, sessions }, selected, width, height }: Props) {
  if (log.length === 0) return <EmptyLog commands={nextCommands(url, sessions)} />
  const index = log.findIndex(({ id }) => id === selected)
  const [start, end] = visibleRange(log.length, index, height - 1)
  const visible = log.slice(start, end)
  return Table({
    columns,
    cells: cellsOf(columns, visible),
    tones: tonesOf(columns, visible),
    measured: cellsOf(columns, log.slice(0, 200)),
    selected: index < 0 ? undefined : index - start,
    emptyText: '',
    width,
  })
}

const EmptyLog = ({ commands }: { commands: string[] }) => (
  <Box flexDirection="column">
    <Text>No requests yet. Try in another terminal:</Text>
    {commands.map((command) => (
      <Text key={command} dimColor>
        {`  ${command}`}
      </Text>
    ))}
  </Box>
)
