import { Box } from 'ink'
import { formatCount } from '../../output/pluralize.js'
import { Text } from './text.js'

export type BarChartProps = {
  title: string
  bars: { label: string; count: number }[]
  /** The terminal's width. */
  width: number
}

/** Horizontal bars with their labels and counts. */
export function BarChart({ title, bars, width }: BarChartProps) {
  const labelWidth = Math.min(Math.max(...bars.map(({ label }) => label.length)), Math.floor(width / 2))
  const maxCount = Math.max(...bars.map(({ count }) => count))
  const countWidth = formatCount(maxCount).length
  const barWidth = Math.max(1, Math.min(40, width - labelWidth - countWidth - 4))
  return (
    <Box flexDirection="column">
      <Text bold underline>
        {title}
      </Text>
      {bars.map(({ label, count }) => (
        <Text key={label} wrap="truncate">
          {label.slice(0, labelWidth).padEnd(labelWidth)} {formatCount(count).padStart(countWidth)}{' '}
          <Text color="green">{'█'.repeat(Math.max(1, Math.round((count / maxCount) * barWidth)))}</Text>
        </Text>
      ))}
    </Box>
  )
}
