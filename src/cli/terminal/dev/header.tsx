import { Box } from 'ink'
import type { ReactNode } from 'react'
import { signedOut } from '../../../mock/state/limit-words.js'
import { Text } from '../text.js'
import { delayText, type MockSnapshot, personaText, scenarioText } from './mock-snapshot.js'

/** Five lines: the address of the mock, persona, forced outcomes, delay and other settings, and a rule. */
export function Header({ mock, width }: { mock: MockSnapshot; width: number }) {
  const { url, sessions, scenarios, delay, others } = mock
  const persona = sessions.sessions.find(({ id }) => id === sessions.active)
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text wrap="truncate">
        <Text bold>dashboard-api mock</Text> at <Text color="cyan">{url}</Text>
      </Text>
      <Line name="Persona" value={persona?.id} none="none: the fixtures have no session" color="green">
        {persona && ` ${personaText(persona)}`}
        {sessions.withoutCookie !== sessions.active &&
          `   without a cookie: ${sessions.withoutCookie ?? signedOut}`}
      </Line>
      <Line name="Forced" value={scenarios.map(scenarioText).join(' · ')} none="nothing" />
      <Line name="Delay" value={delayText(delay)} none="none">
        <Text color="yellow">{others.map((text) => `   ${text}`).join('')}</Text>
      </Line>
      <Text dimColor>{'─'.repeat(width)}</Text>
    </Box>
  )
}

type LineProps = {
  name: string
  value: string | undefined
  none: string
  color?: string
  children?: ReactNode
}

const Line = ({ name, value, none, color = 'yellow', children }: LineProps) => (
  <Text wrap="truncate">
    <Text dimColor>{name.padEnd(9)}</Text>
    {value ? <Text color={color}>{value}</Text> : <Text dimColor>{none}</Text>}
    <Text dimColor>{children}</Text>
  </Text>
)
