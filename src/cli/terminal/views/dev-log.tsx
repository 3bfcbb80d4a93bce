import { Box } from 'ink'
import type { LogEntry } from '../../../mock/core/request-log.js'
import { type ColumnLayout, fitColumns } from '../../output/fit-columns.js'
import { isForced, requestText, responseText, statusColour, timeText } from '../../output/log-line.js'
import { printable } from '../../output/printable.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import { nextCommands } from '../dev/texts.js'
import { formatCells } from './format-cells.js'
import { Text } from './text.js'
import { visibleRange } from './visible-range.js'

type Props = { mock: MockSnapshot; selected?: number; width: number; height: number }

// On a narrow terminal the last columns are left out first.
const columns: (ColumnLayout & { value(entry: LogEntry): string })[] = [
  { title: 'Time', value: timeText },
  { title: 'Request', value: requestText, shrinks: true, minWidth: 18 },
  { title: 'Response', value: responseText, shrinks: true, minWidth: 28 },
  { title: 'Persona', value: ({ session }) => session ?? '-', shrinks: true, minWidth: 10 },
  { title: 'Decided by', value: ({ why }) => why, shrinks: true, minWidth: 14 },
  { title: 'ms', value: ({ ms }) => String(Math.round(ms)), shrinks: true },
]

/** The number of entries that the widths of the columns are computed from. Many entries keep the widths stable. */
const measuredEntries = 200

/** As much of the log as fits, newest first. */
export function DevLog({ mock: { log, url, sessions }, selected, width, height }: Props) {
  if (log.length === 0) return <EmptyLog commands={nextCommands(url, sessions)} />
  const cellsOf = (entry: LogEntry) => columns.map(({ value }) => printable(value(entry)))
  const widths = fitColumns(columns, log.slice(0, measuredEntries).map(cellsOf), width)
  const index = log.findIndex(({ id }) => id === selected)
  const [start, end] = visibleRange(log.length, index, height - 1)
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate">
        {formatCells(
          columns.map(({ title }) => title),
          widths,
        ).join('')}
      </Text>
      {log.slice(start, end).map((entry) => (
        <Row
          key={entry.id}
          entry={entry}
          cells={formatCells(cellsOf(entry), widths)}
          isSelected={entry.id === selected}
        />
      ))}
    </Box>
  )
}

function Row({ entry, cells, isSelected }: { entry: LogEntry; cells: string[]; isSelected: boolean }) {
  const [time, request, response, persona, why, ms] = cells
  return (
    <Text wrap="truncate" inverse={isSelected}>
      <Text dimColor={!isSelected}>{time}</Text>
      {request}
      <Text color={statusColour(entry.status)}>{response}</Text>
      {persona}
      <Text {...(isForced(entry) ? { color: 'yellow' } : { dimColor: !isSelected })}>{why}</Text>
      <Text dimColor={!isSelected}>{ms}</Text>
    </Text>
  )
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
