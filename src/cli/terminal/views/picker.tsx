import { Box } from 'ink'
import { printable } from '../../output/printable.js'
import { Text } from './text.js'
import { visibleRange } from './visible-range.js'

export type PickerChoice = { label: string; hint: string; isCurrent?: boolean }

export type PickerProps = {
  title: string
  /** The choices that match the filter. */
  choices: PickerChoice[]
  filter: string
  index: number
  /** Shown if there is no choice. */
  emptyText: string
  width: number
  height: number
}

/** A list to choose from, with its filter. */
export function Picker({ title, choices, filter, index, emptyText, width, height }: PickerProps) {
  const selected = Math.min(index, choices.length - 1)
  const [start, end] = visibleRange(choices.length, selected, height - 2)
  const longest = Math.max(0, ...choices.map(({ label }) => label.length))
  const labelWidth = Math.min(longest, Math.floor(width / 2))
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">
        <Text bold>{title}</Text>
        {filter && '  '}
        <Text color="cyan">{filter}</Text>
      </Text>
      <Text dimColor>{choices.length > end - start ? `${selected + 1} of ${choices.length}` : ' '}</Text>
      {choices.length === 0 && <Text dimColor>{emptyText}</Text>}
      {choices.slice(start, end).map(({ label, hint, isCurrent }, i) => (
        <Text key={label} wrap="truncate" inverse={start + i === selected}>
          <Text color="green">{isCurrent ? ' ● ' : '   '}</Text>
          {`${printable(label).padEnd(labelWidth)}  `}
          <Text dimColor={start + i !== selected}>{`${printable(hint)} `}</Text>
        </Text>
      ))}
    </Box>
  )
}
