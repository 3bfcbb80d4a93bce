import { Box, Text } from 'ink'

const keys = [
  ['p', 'be another persona: what the cookie session=active stands for'],
  ['f', 'force an outcome on an operation, or end what is forced'],
  ['d', 'make answers wait'],
  ['s  l', 'save the state as a snapshot, load one'],
  ['r', 'reset: back to how the mock began'],
  ['↑ ↓  Enter', 'pick a request, show what decided it and how to repeat it'],
  ['o', 'open the page of the mock in the browser'],
  ['q  Ctrl+C', 'quit'],
]

/** What each key does. */
export const DevHelp = ({ url }: { url: string }) => (
  <Box flexDirection="column">
    {keys.map(([key, does]) => (
      <Text key={key} wrap="truncate">
        <Text bold>{key?.padEnd(12)}</Text>
        {does}
      </Text>
    ))}
    <Text> </Text>
    <Text dimColor wrap="truncate">
      The same from another terminal: npx dashboard-api --help
    </Text>
    <Text dimColor wrap="truncate">
      {`The same on a page: ${url}`}
    </Text>
  </Box>
)
