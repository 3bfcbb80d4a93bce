import type { WaitlistEntry } from '../state-file.js'
import type { Store, StoreReader, WaitlistFilter } from '../store.js'
import type { Change } from './audit.js'
import { conditionsOf } from './conditions.js'
import { columns } from './record-columns.js'
import type { Dialect, SqlReader } from './sql-database.js'
import type { WriteKind, WriteQueue } from './write-queue.js'

export function waitlistReads({ readLarge, dialect }: SqlReader) {
  const matching = ({ email, search, ...period }: WaitlistFilter = {}) => {
    const { list, values, bind } = conditionsOf('created_at', period)
    if (email !== undefined) list.push(`email = ${bind(email)}`)
    if (search) list.push(`${dialect.position('email', bind(search))} > 0`)
    return { conditions: list.join(' AND '), values, bind }
  }
  return {
    async waitlistAfter(cursor, limit, filter) {
      const { conditions, values, bind } = matching(filter)
      const max = bind(limit)
      const scan = (condition: string, order: string) =>
        `SELECT * FROM (SELECT ${columns.waitlist} FROM waitlist
           WHERE ${condition} AND ${conditions} ORDER BY ${order} LIMIT ${max}) AS part`
      if (!cursor) return readLarge(scan('true', 'created_at DESC, email'), ...values)
      // Two index scans that start at the cursor.
      const [at, email] = [bind(cursor.createdAt), bind(cursor.email)]
      return readLarge(
        `${scan(`created_at = ${at} AND email > ${email}`, 'email')}
         UNION ALL ${scan(`created_at < ${at}`, 'created_at DESC, email')}
         ORDER BY "createdAt" DESC, email LIMIT ${max}`,
        ...values,
      )
    },
    async countWaitlist(filter) {
      const { conditions, values } = matching(filter)
      const sql = `SELECT CAST(count(*) AS integer) AS count FROM waitlist WHERE ${conditions}`
      const [row] = await readLarge<{ count: number }>(sql, ...values)
      return row?.count ?? 0
    },
  } satisfies Partial<StoreReader>
}

/** @param isAudited whether each sign-up without an origin is recorded */
export function waitlistWrites(
  dialect: Dialect,
  change: Change,
  queue: WriteQueue,
  isAudited: boolean,
): Pick<Store, 'addToWaitlist'> {
  const kind = entryKind(dialect)
  return {
    async addToWaitlist(entry, by) {
      if (!by && !isAudited) return queue.add('waitlist', kind, entry)
      return change(by, async (connection, record) => {
        const isAdded = (await kind.write(connection, [entry]))[0] === true
        // Only the number: the entry stays when the address is removed.
        if (isAdded) record({ action: 'waitlist.add', details: { waitlist: 1 } })
        return isAdded
      })
    },
  }
}

/**
 * Adds entries, and tells whether each address is new. A known address is written too, so that the response time does not
 * reveal it. Addresses are written in order, so that two nodes cannot deadlock.
 */
const entryKind = ({ items }: Dialect): WriteKind<WaitlistEntry, boolean> => ({
  name: 'waitlist',
  async write(connection, entries) {
    const counts = new Map<string, { createdAt: string; count: number }>()
    for (const { email, createdAt } of entries) {
      const { count = 0, createdAt: first = createdAt } = counts.get(email) ?? {}
      counts.set(email, { createdAt: first, count: count + 1 })
    }
    const rows = [...counts].map(([email, { createdAt, count }]) => [email, createdAt, count])
    const written = await connection.all<{ email: string; submissions: number }>(
      `INSERT INTO waitlist (email, created_at, submissions)
       SELECT item ->> 0, item ->> 1, CAST(item ->> 2 AS integer) FROM ${items('$1')} WHERE true ORDER BY number
       ON CONFLICT (email) DO UPDATE SET submissions = waitlist.submissions + excluded.submissions
       RETURNING email, submissions`,
      JSON.stringify(rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1))),
    )
    const added = new Set(
      written
        .filter(({ email, submissions }) => submissions === counts.get(email)?.count)
        .map(({ email }) => email),
    )
    // If a batch has an address twice, the first one counts as added.
    return entries.map(({ email }) => added.delete(email))
  },
})
