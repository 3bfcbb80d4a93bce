import type { WaitlistFilter } from '../../store/store.js'
import { showProgress } from '../output/progress.js'
import { withWaitlist } from './waitlist.js'

export type WaitlistStats = {
  total: number
  /** Days in UTC on which somebody joined, the oldest first. */
  days: { day: string; count: number }[]
  /** Domains of addresses, the most frequent first. */
  domains: { domain: string; count: number }[]
}

/** Counts a part of the waitlist by day and by domain. */
export const waitlistStats = (database: string | undefined, part: WaitlistFilter): Promise<WaitlistStats> =>
  withWaitlist(database, part, async (entries, store) => {
    const progress = showProgress('addresses', await store.countWaitlist(part))
    const days = new Map<string, number>()
    const domains = new Map<string, number>()
    let total = 0
    try {
      for await (const { email, createdAt } of entries) {
        count(days, createdAt.slice(0, 10))
        count(domains, email.slice(email.lastIndexOf('@') + 1))
        total += 1
        progress.report(total)
      }
    } finally {
      await progress.stop()
    }
    return {
      total,
      days: [...days].reverse().map(([day, count]) => ({ day, count })),
      domains: [...domains]
        .map(([domain, count]) => ({ domain, count }))
        .sort((a, b) => b.count - a.count || (a.domain < b.domain ? -1 : 1)),
    }
  })

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
