import { Box } from 'ink'
import { Text } from './text.js'

const keys = {
  p: 'select the persona that the cookie session=active stands for',
  f: 'force an outcome of an operation, or clear what is forced',
  d: 'delay responses',
  's  l': 'save or load a snapshot of the state',
  r: 'reset the mock',
  '↑ ↓  Enter': 'select a request and show its details',
  o: 'open the page of the mock in the browser',
  'q  Ctrl+C': 'quit',
}

export const DevHelp = ({ url }: { url: string }) => (
  <Box flexDirection="column">
    {Object.entries(keys).map(([key, description]) => (
      <Text key={key} wrap="truncate">
        <Text bold>{key.padEnd(12)}</Text>
        {description}
      </Text>
    ))}
    <Text> </Text>
    <Text dimColor wrap="truncate">
      The same as commands: npx dashboard-api --help
    </Text>
    <Text dimColor wrap="truncate">
      {`The same on a page: ${url}`}
    </Text>
  </Box>
)
