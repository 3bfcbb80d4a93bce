import { Box } from 'ink'
import { columnGap } from '../../output/fit-columns.js'
import { Text } from './text.js'

/** The fields of an object, one per line. Long values wrap. */
export function Record({ fields }: { fields: [name: string, value: string][] }) {
  const width = Math.max(...fields.map(([name]) => name.length))
  return (
    <Box flexDirection="column">
      {fields.map(([name, value]) => (
        <Box key={name} columnGap={columnGap}>
          <Box flexShrink={0} width={width}>
            <Text bold>{name}</Text>
          </Box>
          <Text>{value || ' '}</Text>
        </Box>
      ))}
    </Box>
  )
}
