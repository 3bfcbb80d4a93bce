import { Box } from 'ink'
import { pluralize } from '../../output/pluralize.js'
import { BarChart } from './bar-chart.js'
import { Text } from './text.js'

export type WaitlistStats = {
  total: number
  /** Days in UTC, the oldest first. */
  days: { day: string; count: number }[]
  /** The most frequent first. */
  domains: { domain: string; count: number }[]
}

const maxDays = 14
const maxDomains = 10

/** Addresses per day and per domain. */
export function WaitlistChart({ stats, width }: { stats: WaitlistStats; width: number }) {
  const { total, days, domains } = stats
  if (total === 0) return <Text dimColor>The waitlist is empty.</Text>
  const [moreDays, moreDomains] = [days.length - maxDays, domains.length - maxDomains]
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>{pluralize(total, 'address', 'addresses')}</Text>
      <BarChart
        title={`Per day${moreDays > 0 ? `, last ${maxDays} of ${days.length}` : ''}`}
        bars={days.slice(-maxDays).map(({ day, count }) => ({ label: day, count }))}
        width={width}
      />
      <BarChart
        title={`Per domain${moreDomains > 0 ? `, first ${maxDomains} of ${domains.length}` : ''}`}
        bars={domains.slice(0, maxDomains).map(({ domain, count }) => ({ label: domain, count }))}
        width={width}
      />
    </Box>
  )
}
