import type { WaitlistEntry } from '../state-file.js'
import type { WaitlistFilter } from '../store.js'
import type { ConnectionPool } from './connection-pool.js'
import { columns } from './rows.js'

/** Wide enough for every time that a person can mean. */
const everything = { since: '', until: '\uffff' }

const matches = "(?1 = '' OR instr(email, ?1) > 0)"

/**
 * The next entries of a part of the waitlist. The order is two queries of the index, each of which starts where
 * it has to: a condition with OR would read all entries of the same time again for each page.
 */
export async function waitlistAfter(
  db: Pick<ConnectionPool, 'read'>,
  entry: WaitlistEntry | undefined,
  limit: number,
  { search = '', since = everything.since, until = everything.until }: WaitlistFilter = {},
): Promise<WaitlistEntry[]> {
  const next = (condition: string, order: string) =>
    `SELECT * FROM (SELECT ${columns.waitlist} FROM waitlist
       WHERE created_at >= ?3 AND ${condition} AND ${matches} ORDER BY ${order} LIMIT ?2)`
  return db.read<WaitlistEntry>(
    `${next('created_at = ?5 AND created_at < ?4 AND email > ?6', 'email')}
     UNION ALL ${next("created_at < iif(?5 = '', ?4, min(?4, ?5))", 'created_at DESC, email')}
     ORDER BY createdAt DESC, email LIMIT ?2`,
    search,
    limit,
    since,
    until,
    entry?.createdAt ?? '',
    entry?.email ?? '',
  )
}

/** The number of entries in a part of the waitlist. */
export async function countWaitlist(
  db: Pick<ConnectionPool, 'read'>,
  { search = '', since = everything.since, until = everything.until }: WaitlistFilter = {},
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
