import { Box, Text } from 'ink'
import type { LogEntry } from '../../../mock/core/request-log.js'
import { columnGap, type Fitted, fitColumns } from '../../output/fit-columns.js'
import { answerOf, isForced, requestOf, statusColour, timeOf } from '../../output/log-line.js'
import { printable } from '../../output/printable.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import { nextCommands } from '../dev/texts.js'
import { windowOf } from './window-of.js'

type Props = { facts: MockSnapshot; selected?: number; width: number; height: number }

// Those that matter least are last: they are left out first.
const columns: (Fitted & { value(entry: LogEntry): string })[] = [
  { title: 'Time', value: timeOf },
  { title: 'Request', value: requestOf, yields: true, least: 18 },
  { title: 'Answer', value: answerOf, yields: true, least: 28 },
  { title: 'Persona', value: ({ session }) => session ?? '-', yields: true, least: 10 },
  { title: 'Decided by', value: ({ why }) => why, yields: true, least: 14 },
  { title: 'ms', value: ({ ms }) => String(Math.round(ms)), yields: true },
]

/** So many entries have a say in how wide the columns are, so that these seldom move. */
const maxMeasured = 200

/** The log, the latest first, as much as there is room for. */
export function DevLog({ facts: { log, url, sessions }, selected, width, height }: Props) {
  if (log.length === 0) return <Nothing commands={nextCommands(url, sessions)} />
  const cellsOf = (entry: LogEntry) => columns.map(({ value }) => printable(value(entry)))
  const widths = fitColumns(columns, log.slice(0, maxMeasured).map(cellsOf), width)
  const at = log.findIndex(({ id }) => id === selected)
  const [from, to] = windowOf(log.length, at, height - 1)
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate">
        {lineOf(
          columns.map(({ title }) => title),
          widths,
        ).join('')}
      </Text>
      {log.slice(from, to).map((entry) => (
        <Row
          key={entry.id}
          entry={entry}
          cells={lineOf(cellsOf(entry), widths)}
          isSelected={entry.id === selected}
        />
      ))}
    </Box>
  )
}

function Row({ entry, cells, isSelected }: { entry: LogEntry; cells: string[]; isSelected: boolean }) {
  const [time, request, answer, persona, why, ms] = cells
  return (
    <Text wrap="truncate" inverse={isSelected}>
      <Text dimColor={!isSelected}>{time}</Text>
      {request}
      <Text color={statusColour(entry.status)}>{answer}</Text>
      {persona}
      <Text {...(isForced(entry) ? { color: 'yellow' } : { dimColor: !isSelected })}>{why}</Text>
      <Text dimColor={!isSelected}>{ms}</Text>
    </Text>
  )
}

const Nothing = ({ commands }: { commands: string[] }) => (
  <Box flexDirection="column">
    <Text>No request yet. Try, in another terminal:</Text>
    {commands.map((command) => (
      <Text key={command} dimColor>
        {`  ${command}`}
      </Text>
    ))}
  </Box>
)

/** Cells cut and filled to their widths, with the gap before; empty for a column that is left out. */
const lineOf = (cells: string[], widths: number[]): string[] =>
  cells.map((cell, i) => {
    const width = widths[i] ?? 0
    if (width === 0) return ''
    const gap = ' '.repeat(i > 0 ? columnGap : 0)
    const letters = [...cell]
    const cut = letters.length > width ? `${letters.slice(0, width - 1).join('')}…` : cell
    return gap + cut + ' '.repeat(Math.max(0, width - letters.length))
  })
