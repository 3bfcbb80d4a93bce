import type { RequestCount } from '../request-counts.js'
import type { GroupStatement } from './group-writer.js'

type CountedRequest = { key: string; windowMs: number }

/**
 * Counts requests by the clock of the database. Those of one key that wait together are added as one number. Keys are
 * written in their order: two nodes cannot wait for each other.
 */
export const countRequests: GroupStatement<CountedRequest, RequestCount> = {
  async run(db, requests) {
    const added = new Map<string, { windowMs: number; requests: number }>()
    const numbers = requests.map(({ key, windowMs }) => {
      const { requests: before } = added.get(key) ?? { requests: 0 }
      added.set(key, { windowMs, requests: before + 1 })
      return before + 1
    })
    const rows = await db.use((connection) =>
      connection.all<RequestCount & { key: string }>(
        `INSERT INTO request_counts (key, requests, ends_at)
         SELECT item ->> 0, (item ->> 1)::int, now() + (item ->> 2)::float8 * interval '1 ms'
         FROM jsonb_array_elements($1::jsonb) AS item ORDER BY (item ->> 0) COLLATE "C"
         ON CONFLICT (key) DO UPDATE SET
           requests = excluded.requests
             + CASE WHEN request_counts.ends_at > now() THEN request_counts.requests ELSE 0 END,
           ends_at = CASE WHEN request_counts.ends_at > now() THEN request_counts.ends_at ELSE excluded.ends_at END
         RETURNING key, requests, (extract(epoch FROM ends_at - now()) * 1000)::float8 AS "leftMs"`,
        JSON.stringify([...added].map(([key, { requests, windowMs }]) => [key, requests, windowMs])),
      ),
    )
    const totals = new Map(rows.map((row) => [row.key, row]))
    return requests.map(({ key }, i) => {
      const { requests: total = 0, leftMs = 0 } = totals.get(key) ?? {}
      const before = total - (added.get(key)?.requests ?? 0)
      return { requests: before + (numbers[i] ?? 0), leftMs }
    })
  },
}
