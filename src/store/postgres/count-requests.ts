import type { RequestCount, RequestCounts } from '../production-store.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import type { WriteKind, WriteQueue } from '../sql/write-queue.js'

/** The most rows that one statement removes. */
const removalSize = 2_000

/** Counts the requests of all nodes. @param queue a separate queue, so that a count never waits for a commit of records */
export const createRequestCounts = (
  { dialect, transaction }: SqlDatabase,
  queue: WriteQueue,
): RequestCounts => ({
  add: (key, windowMs) => queue.add('counts', countRequests, { key, windowMs }),
  // Skips locked rows. Rows are deleted by their physical place (ctid): a search by key could wait for rows whose writer
  // waits for this statement.
  removePast: () =>
    transaction((connection) =>
      connection.run(`DELETE FROM request_counts WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM request_counts WHERE ends_at <= now()
        LIMIT ${removalSize} ${dialect.lockFree}
      ))`),
    ),
})

/**
 * Counts requests by the clock of the database. Waiting counts of one key are added as one number. Keys are written in order,
 * so that two nodes cannot deadlock.
 */
const countRequests: WriteKind<{ key: string; windowMs: number }, RequestCount> = {
  name: 'requests',
  async write(connection, requests) {
    const added = new Map<string, { windowMs: number; requests: number }>()
    const numbers = requests.map(({ key, windowMs }) => {
      const { requests: before } = added.get(key) ?? { requests: 0 }
      added.set(key, { windowMs, requests: before + 1 })
      return before + 1
    })
    const items = [...added].map(([key, { requests, windowMs }]) => [key, requests, windowMs] as const)
    const rows = await connection.all<RequestCount & { key: string }>(
      `INSERT INTO request_counts (key, requests, ends_at)
       SELECT item ->> 0, (item ->> 1)::int, now() + (item ->> 2)::float8 * interval '1 ms'
       FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS items (item, number) ORDER BY number
       ON CONFLICT (key) DO UPDATE SET
         requests = excluded.requests
           + CASE WHEN request_counts.ends_at > now() THEN request_counts.requests ELSE 0 END,
         ends_at = CASE WHEN request_counts.ends_at > now() THEN request_counts.ends_at ELSE excluded.ends_at END
       RETURNING key, requests, (extract(epoch FROM ends_at - now()) * 1000)::float8 AS "leftMs"`,
      JSON.stringify(items.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    )
    const totals = new Map(rows.map((row) => [row.key, row]))
    return requests.map(({ key }, i) => {
      const { requests: total = 0, leftMs = 0 } = totals.get(key) ?? {}
      const before = total - (added.get(key)?.requests ?? 0)
      return { requests: before + (numbers[i] ?? 0), leftMs }
    })
  },
}
