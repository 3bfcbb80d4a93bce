import { Box } from 'ink'
import { isForced, requestText, responseText, statusColour } from '../../output/log-line.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import { urlOption } from '../dev/texts.js'
import { Text } from './text.js'

type Props = { mock: MockSnapshot; id: number; height: number }

/** A log entry: request, response, persona, what decided the response, and the curl command that repeats it. */
export function DevDetails({ mock: { log, url }, id, height }: Props) {
  const entry = log.find((candidate) => candidate.id === id)
  if (!entry) return <Text dimColor>This request is no longer in the log.</Text>
  const { status, session, operation, why, ms, time, curl } = entry
  return (
    <Box flexDirection="column" height={height}>
      <Line>
        <Text bold>{requestText(entry)}</Text>
      </Line>
      <Field name="Response">
        <Text color={statusColour(status)}>{responseText(entry)}</Text>
      </Field>
      <Field name="Decided by">{isForced(entry) ? <Text color="yellow">{why}</Text> : why}</Field>
      <Field name="Persona">{session ?? 'none'}</Field>
      <Field name="Operation">{operation ?? 'none'}</Field>
      <Field name="Time">{`${time}, ${ms.toFixed(1)} ms`}</Field>
      <Box marginTop={1} flexShrink={1} overflow="hidden">
        <Text wrap="wrap" multiline>
          {curl}
        </Text>
      </Box>
      <Box flexShrink={0}>
        <Text dimColor>{`To copy it: npx dashboard-api log --curl ${id}${urlOption(url)}`}</Text>
      </Box>
    </Box>
  )
}

/** Does not shrink: a long curl command would take its place otherwise. */
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
