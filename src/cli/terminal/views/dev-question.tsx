import { Box, Text } from 'ink'
import type { MockSnapshot } from '../dev/mock-snapshot.js'
import type { Screen } from '../dev/screens.js'
import { delayText } from '../dev/texts.js'

type Props = { screen: Extract<Screen, { is: 'question' }>; facts: MockSnapshot }

/** A text to type: the milliseconds of a delay, or the name of a snapshot. */
export function DevQuestion({ screen: { question, text, refusal }, facts }: Props) {
  const [title, ...lines] =
    question.of === 'name'
      ? [
          'Under which name shall the state be saved?',
          'Letters, digits and . _ - ; what has the name already is replaced.',
          facts.snapshots.length > 0
            ? `There are: ${facts.snapshots.join(', ')}.`
            : 'There is no snapshot yet.',
        ]
      : [
          `How many milliseconds shall ${question.operation ?? 'every operation'} wait?`,
          'A number, 300, or between two, 200-800. Nothing takes back what was set.',
          `Now: ${delayText(facts)}.`,
        ]
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
      {refusal && <Text color="red">{refusal}</Text>}
      {lines.map((line) => (
        <Text key={line} dimColor>
          {line}
        </Text>
      ))}
    </Box>
  )
}
