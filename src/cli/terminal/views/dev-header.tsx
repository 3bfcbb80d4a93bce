import { Box } from 'ink'
import { delayText, type MockSnapshot, personaText, scenarioText } from '../dev/mock-snapshot.js'
import { Text } from './text.js'

/** The mock's address and settings: persona, forced outcomes, delay, and what else was set. */
export function DevHeader({ mock, width }: { mock: MockSnapshot; width: number }) {
  const { url, sessions, scenarios, delay, others, fixtureError } = mock
  const persona = sessions.sessions.find(({ id }) => id === sessions.active)
  const delays = delayText(delay)
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text wrap="truncate">
        <Text bold>dashboard-api mock</Text> at <Text color="cyan">{url}</Text>
      </Text>
      <Line name="Persona">
        <Text color="green">{persona?.id ?? 'none: the fixtures have no session'}</Text>{' '}
        <Text dimColor>{persona ? personaText(persona) : ''}</Text>
        {sessions.withoutCookie !== sessions.active && (
          <Text dimColor>{`   without a cookie: ${sessions.withoutCookie ?? 'nobody'}`}</Text>
        )}
      </Line>
      <Line name="Forced">
        <Setting isSet={scenarios.length > 0}>{scenarios.map(scenarioText).join(' · ') || 'nothing'}</Setting>
      </Line>
      <Line name="Delay">
        <Setting isSet={delays !== 'none'}>{delays}</Setting>
        <Setting isSet>{others.map((text) => `   ${text}`).join('')}</Setting>
      </Line>
      {fixtureError && (
        <Text color="red" wrap="truncate">
          {fixtureError}
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
