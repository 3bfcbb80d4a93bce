import { Box, Text } from 'ink'
import { printable } from '../../output/printable.js'
import { windowOf } from './window-of.js'

export type PickerProps = {
  title: string
  /** Those that the filter has left. */
  choices: { label: string; hint: string; isCurrent?: boolean }[]
  filter: string
  index: number
  /** Said where no choice is left. */
  nothing: string
  width: number
  height: number
}

/** A list to choose from, with the filter that is typed. */
export function Picker({ title, choices, filter, index, nothing, width, height }: PickerProps) {
  const at = Math.min(index, choices.length - 1)
  const [from, to] = windowOf(choices.length, at, height - 2)
  const widest = Math.max(0, ...choices.map(({ label }) => label.length))
  const labelWidth = Math.min(widest, Math.floor(width / 2))
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">
        <Text bold>{title}</Text>
        {filter && '  '}
        <Text color="cyan">{filter}</Text>
      </Text>
      <Text dimColor>{choices.length > to - from ? `${at + 1} of ${choices.length}` : ' '}</Text>
      {choices.length === 0 && <Text dimColor>{nothing}</Text>}
      {choices.slice(from, to).map(({ label, hint, isCurrent }, i) => (
        <Text key={label} wrap="truncate" inverse={from + i === at}>
          <Text color="green">{isCurrent ? ' ● ' : '   '}</Text>
          {`${printable(label).padEnd(labelWidth)}  `}
          <Text dimColor={from + i !== at}>{`${printable(hint)} `}</Text>
        </Text>
      ))}
    </Box>
  )
}
