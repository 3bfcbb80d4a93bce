import { Box } from 'ink'
import { chaosTexts } from '../../../mock/core/forced-text.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import { clockText, delayText, personaText, scenariosText } from '../dev/texts.js'
import { Text } from './text.js'

/** The mock's address and settings: persona, forced outcomes, delay, clock, chaos. */
export function DevHeader({ mock, width }: { mock: MockSnapshot; width: number }) {
  const { url, sessions, fixtureError } = mock
  const forced = scenariosText(mock.scenarios)
  const chaos = chaosTexts(mock.chaos).join(' · ')
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
          'none: the fixtures have no session'
        )}
      </Line>
      <Line name="Forced">
        <Setting isSet={forced !== ''}>{forced || 'nothing'}</Setting>
      </Line>
      <Line name="Delay">
        <Setting isSet={delayText(mock) !== 'none'}>{delayText(mock)}</Setting>
        <Text dimColor>{'   Clock  '}</Text>
        <Setting isSet={mock.clock.mode !== 'real'}>{clockText(mock)}</Setting>
        {chaos && <Setting isSet>{`   ${chaos}`}</Setting>}
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
