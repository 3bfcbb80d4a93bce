import { Box, Text } from 'ink'
import type { Notice } from '../dev/screens.js'
import type { Hint } from './dev-hints.js'

type Props = { notice?: Notice; hints: Hint[]; width: number }

/** What has happened last, and the keys: as many as one line has room for. */
export function DevFooter({ notice, hints, width }: Props) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text dimColor>{'─'.repeat(width)}</Text>
      <Text wrap="truncate" color={notice?.tone === 'failed' ? 'red' : 'green'}>
        {notice?.text ?? ' '}
      </Text>
      <Text wrap="truncate">
        {fitting(hints, width).map(([key, does], i) => (
          <Text key={key}>
            {i > 0 && '  '}
            <Text bold>{key}</Text> <Text dimColor>{does}</Text>
          </Text>
        ))}
      </Text>
    </Box>
  )
}

function fitting(hints: Hint[], width: number): Hint[] {
  let room = width + 2
  return hints.filter(([key, does]) => {
    room -= key.length + does.length + 3
    return room >= 0
  })
}
