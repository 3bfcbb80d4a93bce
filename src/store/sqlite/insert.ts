import { nameKey } from '../../contract/project-name.js'
import type { Project } from '../../contract/schemas.js'
import { emailKey } from '../record-fields.js'
import { type State, type StateKind, stateKinds, type WaitlistEntry } from '../state-file.js'
import type { Named } from '../store.js'
import type { Connection } from './connection.js'
import { fields } from './rows.js'
import type { BatchStatement } from './writer.js'

type Field<Kind extends StateKind> = (record: State[Kind][number]) => string | null | undefined

/** The columns that are computed from a record. */
const computed: { [Kind in StateKind]?: Record<string, Field<Kind>> } = {
  users: { email_key: (user) => emailKey(user.email) },
  sessions: { permissions: (session) => JSON.stringify(session.permissions) },
  projects: { name_key: (project: Named<Project>) => project.nameKey ?? nameKey(project.name) },
}

const storedOf = <Kind extends StateKind>(kind: Kind): Record<string, Field<Kind>> => ({
  ...Object.fromEntries(
    Object.entries(fields[kind]).map(([field, column]) => [
      column,
      (record: State[Kind][number]) => (record as Record<string, string | null | undefined>)[field],
    ]),
  ),
  ...computed[kind],
})

/** The stored columns of each kind, and how to get them from a record. The first one identifies the record. */
const stored = Object.fromEntries(stateKinds.map((kind) => [kind, storedOf(kind)])) as {
  [Kind in StateKind]: Record<string, Field<Kind>>
}

/**
 * Adds one record. Fails if its id exists.
 * @param suffix the end of the statement, for example ON CONFLICT or RETURNING
 * @returns the rows of RETURNING
 */
export async function insert<Row, Kind extends StateKind = StateKind>(
  connection: Connection,
  kind: Kind,
  record: State[Kind][number],
  suffix = '',
): Promise<Row[]> {
  return connection.all<Row>(insertFromJson(kind, suffix), toJson(kind, [record]))
}

/** The statement that adds records, given as JSON, in their order; none of them where a condition is false. */
export function insertFromJson(kind: StateKind, suffix: string, condition = 'true'): string {
  const names = Object.keys(stored[kind])
  const values = names.map((_, i) => `value ->> ${i}`)
  // Without WHERE, SQLite takes ON CONFLICT for the condition of a join.
  return `INSERT INTO ${kind} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM json_each(?) WHERE ${condition} ORDER BY key ${suffix}`
}

export function toJson<Kind extends StateKind>(kind: Kind, records: readonly State[Kind][number][]): string {
  const fields = Object.values(stored[kind])
  return JSON.stringify(records.map((record) => fields.map((read) => read(record) ?? null)))
}

/**
 * Adds entries to the waitlist. The result tells whether the address is new. A known address is written too, so that the
 * time of the call does not tell.
 */
export const insertEntries: BatchStatement<WaitlistEntry, boolean> = {
  async run(connection, entries) {
    const sql = insertFromJson(
      'waitlist',
      'ON CONFLICT (email) DO UPDATE SET submissions = submissions + 1 RETURNING email, submissions',
    )
    const rows = await connection.all<{ email: string; submissions: number }>(
      sql,
      toJson('waitlist', entries),
    )
    const added = new Set(rows.filter(({ submissions }) => submissions === 1).map(({ email }) => email))
    // Where a batch has an address twice, the first one was added.
    return entries.map(({ email }) => added.delete(email))
  },
}

/** Records per statement: large states load fast, and no statement takes too long. */
const batchSize = 1000

/** Adds the records whose ids do not exist, in their order. Returns the number of added records. */
export async function insertMissing<Kind extends StateKind>(
  connection: Connection,
  kind: Kind,
  records: readonly State[Kind][number][],
): Promise<number> {
  const [id] = Object.keys(stored[kind])
  const sql = insertFromJson(kind, `ON CONFLICT (${id}) DO NOTHING`)
  let added = 0
  for (let start = 0; start < records.length; start += batchSize) {
    added += await connection.run(sql, toJson(kind, records.slice(start, start + batchSize)))
  }
  return added
}
