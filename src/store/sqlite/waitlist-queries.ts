import { columns } from '../rows.js'
import type { WaitlistEntry } from '../state-file.js'
import type { WaitlistFilter } from '../store.js'
import type { ConnectionPool } from './connection-pool.js'

/** Includes every RFC 3339 time. */
const always = { since: '', until: '\uffff' }

const matches = "(?1 = '' OR instr(email, ?1) > 0)"

/**
 * Returns one page of the filtered waitlist. The order is two index scans, each of which starts at the cursor. A
 * condition with OR would scan all entries of the same time again for each page.
 */
export async function waitlistAfter(
  db: Pick<ConnectionPool, 'read'>,
  cursor: WaitlistEntry | undefined,
  limit: number,
  { search = '', since = always.since, until = always.until }: WaitlistFilter = {},
): Promise<WaitlistEntry[]> {
  const scan = (condition: string, order: string) =>
    `SELECT * FROM (SELECT ${columns.waitlist} FROM waitlist
       WHERE created_at >= ?3 AND ${condition} AND ${matches} ORDER BY ${order} LIMIT ?2)`
  return db.read<WaitlistEntry>(
    `${scan('created_at = ?5 AND created_at < ?4 AND email > ?6', 'email')}
     UNION ALL ${scan("created_at < iif(?5 = '', ?4, min(?4, ?5))", 'created_at DESC, email')}
     ORDER BY createdAt DESC, email LIMIT ?2`,
    search,
    limit,
    since,
    until,
    cursor?.createdAt ?? '',
    cursor?.email ?? '',
  )
}

/** Counts the entries of the filtered waitlist. */
export async function countWaitlist(
  db: Pick<ConnectionPool, 'read'>,
  { search = '', since = always.since, until = always.until }: WaitlistFilter = {},
): Promise<number> {
  const [row] = await db.read<{ count: number }>(
    `SELECT count(*) AS count FROM waitlist
     WHERE ${matches} AND created_at >= ?2 AND created_at < ?3`,
    search,
    since,
    until,
  )
  return row?.count ?? 0
}
