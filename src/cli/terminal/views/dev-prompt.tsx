import { Box } from 'ink'
import { newRecordTexts } from '../dev/data-table.js'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import type { Prompt, Screen } from '../dev/screens.js'
import { clockText, delayText, forcedTexts } from '../dev/texts.js'
import { Text } from './text.js'

type Props = { screen: Extract<Screen, { type: 'prompt' }>; mock: MockSnapshot }

/** A text field for a delay, chaos, a response, a time, a value, or the name of a snapshot. */
export function DevPrompt({ screen: { prompt, text, error }, mock }: Props) {
  const [title, ...help] = promptTexts(prompt, mock)
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate">
        {title}
      </Text>
      <Box marginY={1}>
        <Text wrap="truncate-start">
          <Text color="cyan">{'› '}</Text>
          {text}
          <Text inverse> </Text>
        </Text>
      </Box>
      {error && <Text color="red">{error}</Text>}
      {help.map((line) => (
        <Text key={line} dimColor>
          {line}
        </Text>
      ))}
    </Box>
  )
}

function promptTexts(prompt: Prompt, mock: MockSnapshot): string[] {
  switch (prompt.type) {
    case 'delay':
      return [
        `Delay of ${prompt.operation ?? 'all operations'} in milliseconds`,
        'A number (300) or a range (200-800). Empty removes the delay.',
        `Current delay: ${delayText(mock)}.`,
      ]
    case 'chaos':
      return [
        `Chaos of ${prompt.operation ?? 'all operations'}: error rate, delay, seed`,
        'E.g. 0.1, or 0.1 200-2000, or 0.1 200-2000 7. The same seed repeats it. Empty ends it.',
        `Currently forced: ${forcedTexts(mock) || 'nothing'}.`,
      ]
    case 'response':
      return [
        `Response of ${prompt.target}, ${prompt.once ? 'once' : 'until cleared'}, ${prompt.unchecked ? 'not checked' : 'checked against the contract'}`,
        'JSON, or the path of a JSON file; before it a status, if it is another one:',
        '{"projects":[]}   projects.json   502 page.html',
      ]
    case 'clock':
      return [
        `Time ${prompt.ticking ? 'from which the clock runs' : 'at which the clock stops'}`,
        'With its zone, e.g. 2026-01-01T00:00:00Z. Empty returns to the real time.',
        `Current clock: ${clockText(mock)}.`,
      ]
    case 'field':
      return [
        `${prompt.field} of ${prompt.key}`,
        prompt.field === 'permissions'
          ? 'Separated by commas. Empty for none.'
          : 'Empty removes an optional field.',
      ]
    case 'record':
      return newRecordTexts[prompt.from.kind]
    case 'snapshot':
      return [
        'Name of the snapshot',
        'Letters, digits and . _ - are allowed. A snapshot of the same name is replaced.',
        `Existing snapshots: ${mock.snapshots.join(', ') || 'none'}.`,
      ]
  }
}
