import type { WaitlistEntry } from '../state-file.js'
import type { GroupStatement } from './group-writer.js'
import type { PostgresPool } from './pg-pool.js'

/**
 * Adds entries to the waitlist. The result tells whether the address is new. A known address is written too, so that the
 * time of the call does not tell. Addresses are written in their order: two nodes cannot wait for each other.
 */
export const insertEntries = {
  async run(db: Pick<PostgresPool, 'use'>, entries: WaitlistEntry[]): Promise<boolean[]> {
    const counts = new Map<string, { first: WaitlistEntry; count: number }>()
    for (const entry of entries) {
      const { first = entry, count = 0 } = counts.get(entry.email) ?? {}
      counts.set(entry.email, { first, count: count + 1 })
    }
    const items = [...counts.values()].map(({ first, count }) => [first.email, first.createdAt, count])
    const rows = await db.use((connection) =>
      connection.all<{ email: string; submissions: number }>(
        `INSERT INTO waitlist (email, created_at, submissions)
         SELECT item ->> 0, item ->> 1, (item ->> 2)::int FROM jsonb_array_elements($1::jsonb) AS item
         ORDER BY (item ->> 0) COLLATE "C"
         ON CONFLICT (email) DO UPDATE SET submissions = waitlist.submissions + excluded.submissions
         RETURNING email, submissions`,
        JSON.stringify(items),
      ),
    )
    const isNew = ({ email, submissions }: { email: string; submissions: number }) =>
      submissions === counts.get(email)?.count
    const added = new Set(rows.filter(isNew).map(({ email }) => email))
    // Where a batch has an address twice, the first one was added.
    return entries.map(({ email }) => added.delete(email))
  },
} satisfies GroupStatement<WaitlistEntry, boolean>
