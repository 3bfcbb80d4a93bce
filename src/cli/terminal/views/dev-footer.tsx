import { Box } from 'ink'
import type { Notice } from '../dev/screens.js'
import { Text } from './text.js'

type Props = { notice?: Notice; hints: Record<string, string>; width: number }

/** The last notice, and as many keys as fit on one line. */
export function DevFooter({ notice, hints, width }: Props) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Text dimColor>{'─'.repeat(width)}</Text>
      <Text wrap="truncate" color={notice?.type === 'error' ? 'red' : 'green'}>
        {notice?.text ?? ' '}
      </Text>
      <Text wrap="truncate">
        {fitHints(hints, width).map(([key, label], i) => (
          <Text key={key}>
            {i > 0 && '  '}
            <Text bold>{key}</Text> <Text dimColor>{label}</Text>
          </Text>
        ))}
      </Text>
    </Box>
  )
}

function fitHints(hints: Record<string, string>, width: number): [key: string, label: string][] {
  let room = width + 2
  return Object.entries(hints).filter(([key, label]) => {
    const needed = key.length + label.length + 3
    if (needed > room) return false
    room -= needed
    return true
  })
}
