import { Box, Text } from 'ink'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import { clockText, delayText, forcedText, personaText } from '../dev/texts.js'

/** How many lines the header takes. */
export const headerHeight = ({ problem }: MockSnapshot): number => (problem ? 6 : 5)

/** Where the mock is and how it is set: who is active, what is forced, how late, at what time. */
export function DevHeader({ facts, width }: { facts: MockSnapshot; width: number }) {
  const { url, sessions, scenarios, problem } = facts
  const persona = sessions.sessions.find(({ id }) => id === sessions.active)
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text wrap="truncate">
        <Text bold>dashboard-api mock</Text> at <Text color="cyan">{url}</Text>
      </Text>
      <Line name="Persona">
        {persona ? (
          <>
            <Text color="green">{persona.id}</Text> <Text dimColor>{personaText(persona)}</Text>
          </>
        ) : (
          'nobody: the fixtures have no session'
        )}
      </Line>
      <Line name="Forced">
        {scenarios.length === 0 ? (
          <Text dimColor>nothing</Text>
        ) : (
          <Text color="yellow">{scenarios.map(forcedText).join(' · ')}</Text>
        )}
      </Line>
      <Line name="Delay">
        <Setting isSet={delayText(facts) !== 'none'}>{delayText(facts)}</Setting>
        <Text dimColor>{'   Clock  '}</Text>
        <Setting isSet={facts.clock.mode !== 'real'}>{clockText(facts)}</Setting>
      </Line>
      {problem && (
        <Text color="red" wrap="truncate">
          {problem}
        </Text>
      )}
      <Text dimColor>{'─'.repeat(width)}</Text>
    </Box>
  )
}

const Line = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <Text wrap="truncate">
    <Text dimColor>{name.padEnd(9)}</Text>
    {children}
  </Text>
)

const Setting = ({ isSet, children }: { isSet: boolean; children: string }) =>
  isSet ? <Text color="yellow">{children}</Text> : <Text dimColor>{children}</Text>
