import { Box, Text } from 'ink'
import type { WaitlistStats } from '../../actions/waitlist-stats.js'
import { pluralize } from '../../output/pluralize.js'
import { BarChart } from './bar-chart.js'

const shownDays = 14
const shownDomains = 10

/** How many joined lately, and from where. */
export function WaitlistChart({ stats, width }: { stats: WaitlistStats; width: number }) {
  const { total, days, domains } = stats
  if (total === 0) return <Text dimColor>The waitlist is empty.</Text>
  const [moreDays, moreDomains] = [days.length - shownDays, domains.length - shownDomains]
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>{pluralize(total, 'address', 'addresses')}</Text>
      <BarChart
        title={`Per day${moreDays > 0 ? `, the last ${shownDays} of ${days.length}` : ''}`}
        bars={days.slice(-shownDays).map(({ day, count }) => ({ label: day, count }))}
        width={width}
      />
      <BarChart
        title={`Per domain${moreDomains > 0 ? `, the first ${shownDomains} of ${domains.length}` : ''}`}
        bars={domains.slice(0, shownDomains).map(({ domain, count }) => ({ label: domain, count }))}
        width={width}
      />
    </Box>
  )
}
