import { Box } from 'ink'
import { formatCount, pluralize } from '../../output/pluralize.js'
import { Table } from './table.js'
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
const maxBarWidth = 40

/** Addresses per day and per domain, with a bar for each. */
export function WaitlistChart({ stats, width }: { stats: WaitlistStats; width: number }) {
  const { total, days, domains } = stats
  if (total === 0) return <Text dimColor>The waitlist is empty.</Text>
  const chart = (title: string, bars: [label: string, count: number][]) => {
    const max = Math.max(...bars.map(([, count]) => count))
    const bar = (count: number) => '█'.repeat(Math.max(1, Math.round((count / max) * maxBarWidth)))
    const columns = [{ title, shrinks: true }, { title: 'Count' }, { title: ' ', shrinks: true }]
    const cells = bars.map(([label, count]) => [label, formatCount(count), bar(count)])
    const tones = bars.map(() => [undefined, undefined, 'good' as const])
    return <Table {...{ columns, cells, tones, emptyText: '', width }} />
  }
  const [moreDays, moreDomains] = [days.length > maxDays, domains.length > maxDomains]
  return (
    <Box flexDirection="column" rowGap={1}>
      <Text>{pluralize(total, 'address', 'addresses')}</Text>
      {chart(
        `Per day${moreDays ? `, last ${maxDays} of ${days.length}` : ''}`,
        days.slice(-maxDays).map(({ day, count }) => [day, count]),
      )}
      {chart(
        `Per domain${moreDomains ? `, first ${maxDomains} of ${domains.length}` : ''}`,
        domains.slice(0, maxDomains).map(({ domain, count }) => [domain, count]),
      )}
    </Box>
  )
}
