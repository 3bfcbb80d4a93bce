import { columns } from '../rows.js'
import type { WaitlistEntry } from '../state-file.js'
import type { WaitlistFilter } from '../store.js'
import type { Connection } from './pg-connection.js'

const matches = "($1 = '' OR strpos(email, $1) > 0)"
const from = "($2 = '' OR created_at >= $2)"
const before = "($3 = '' OR created_at < $3)"
const texts = ({ search = '', since = '', until = '' }: WaitlistFilter = {}) => [search, since, until]

/**
 * Returns one page of the filtered waitlist. The order is two index scans, each of which starts at the cursor. A
 * condition with OR would scan all entries of the same time again for each page.
 */
export function waitlistAfter(
  connection: Connection,
  cursor: WaitlistEntry | undefined,
  limit: number,
  filter?: WaitlistFilter,
): Promise<WaitlistEntry[]> {
  const scan = (condition: string, order: string) =>
    `(SELECT ${columns.waitlist} FROM waitlist
      WHERE ${condition} AND ${from} AND ${before} AND ${matches} ORDER BY ${order} LIMIT $4)`
  if (!cursor) {
    return connection.all(scan('true', 'created_at DESC, email'), ...texts(filter), limit)
  }
  return connection.all(
    `${scan('created_at = $5 AND email > $6', 'email')}
     UNION ALL ${scan('created_at < $5', 'created_at DESC, email')}
     ORDER BY "createdAt" DESC, email LIMIT $4`,
    ...texts(filter),
    limit,
    cursor.createdAt,
    cursor.email,
  )
}

/** Counts the entries of the filtered waitlist. */
export async function countWaitlist(connection: Connection, filter?: WaitlistFilter): Promise<number> {
  const [row] = await connection.all<{ count: number }>(
    `SELECT count(*)::int AS count FROM waitlist WHERE ${matches} AND ${from} AND ${before}`,
    ...texts(filter),
  )
  return row?.count ?? 0
}
