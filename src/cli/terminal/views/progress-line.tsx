import { Text } from 'ink'
import { formatCount } from '../../output/pluralize.js'
import { estimate, type Progress } from '../../output/progress.js'

const barWidth = 24
const turns = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']

/** How far some work is: a bar with the rate and the time left, or a spinner where nobody knows the end. */
export function ProgressLine({ done, total, unit, elapsedMs }: Progress) {
  const { perSecond, secondsLeft } = estimate({ done, total, elapsedMs })
  const rate = `${formatCount(Math.round(perSecond))}/s`
  if (total === undefined) {
    const turn = turns[Math.floor(elapsedMs / 100) % turns.length]
    return <Text wrap="truncate">{`${turn} ${formatCount(done)} ${unit}  ${rate}`}</Text>
  }
  const part = total === 0 ? 1 : Math.min(1, done / total)
  const filled = Math.floor(part * barWidth)
  return (
    <Text wrap="truncate">
      <Text color="green">{'█'.repeat(filled)}</Text>
      <Text dimColor>{'░'.repeat(barWidth - filled)}</Text>
      {` ${Math.floor(part * 100)} %  ${formatCount(done)} of ${formatCount(total)} ${unit}  ${rate}`}
      {secondsLeft === undefined ? '' : `  ${clockOf(secondsLeft)} left`}
    </Text>
  )
}

/** `0:07`, `12:30`. */
function clockOf(seconds: number): string {
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
