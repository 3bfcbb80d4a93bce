import { Box, Text } from 'ink'
import { answerOf, isForced, requestOf, statusColour } from '../../output/log-line.js'
import { printable } from '../../output/printable.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'

type Props = { facts: MockSnapshot; id: number; height: number }

/** One request: what was asked, by whom, what decided the answer, and the line that repeats it. */
export function DevDetails({ facts: { log, url }, id, height }: Props) {
  const entry = log.find((candidate) => candidate.id === id)
  if (!entry) return <Text dimColor>The log does not have this request any more.</Text>
  const { status, session, operation, why, ms, time, curl } = entry
  const at = url === 'http://127.0.0.1:4010' ? '' : ` --url ${url}`
  return (
    <Box flexDirection="column" height={height}>
      <Line>
        <Text bold>{printable(requestOf(entry))}</Text>
      </Line>
      <Field name="Answer">
        <Text color={statusColour(status)}>{answerOf(entry)}</Text>
      </Field>
      <Field name="Decided by">
        {isForced(entry) ? <Text color="yellow">{printable(why)}</Text> : printable(why)}
      </Field>
      <Field name="Persona">{session ?? 'nobody'}</Field>
      <Field name="Operation">{operation ?? 'none of the interface'}</Field>
      <Field name="Time">{`${time}, ${ms.toFixed(1)} ms`}</Field>
      <Box marginTop={1} flexShrink={1} overflow="hidden">
        <Text wrap="wrap">{printable(curl)}</Text>
      </Box>
      <Box flexShrink={0}>
        <Text dimColor>{`To copy it: npx dashboard-api log --curl ${id}${at}`}</Text>
      </Box>
    </Box>
  )
}

/** A line that stays where the command line below takes all the room. */
const Line = ({ children }: { children: React.ReactNode }) => (
  <Box flexShrink={0}>
    <Text wrap="truncate">{children}</Text>
  </Box>
)

const Field = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <Line>
    <Text dimColor>{name.padEnd(12)}</Text>
    {children}
  </Line>
)
