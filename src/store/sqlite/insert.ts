import { nameKey } from '../../contract/project-name.js'
import type { Project } from '../../contract/schemas.js'
import type { State, StateKind, WaitlistEntry } from '../state-file.js'
import type { Connection } from './connection.js'
import { emailKey, fields } from './rows.js'
import type { BatchStatement } from './writer.js'

type Field<Kind extends StateKind> = (record: State[Kind][number]) => string | null | undefined

/** The columns that are not a field as it is. */
const computed: { [Kind in StateKind]?: Record<string, Field<Kind>> } = {
  users: { email_key: (user) => emailKey(user.email) },
  sessions: { permissions: (session) => JSON.stringify(session.permissions) },
  projects: { name_key: (project) => nameKey(project.name) },
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

/** The stored columns of each kind, and how a record gives them. The first is the one that names the record. */
const stored: { [Kind in StateKind]: Record<string, Field<Kind>> } = {
  teams: storedOf('teams'),
  users: storedOf('users'),
  sessions: storedOf('sessions'),
  projects: storedOf('projects'),
  waitlist: storedOf('waitlist'),
}

/**
 * Adds one record; fails where one with its id is there.
 * @param more what follows in the statement, e.g. what to do on a conflict
 * @returns the rows that `more` returns
 */
export async function insert<Row, Kind extends StateKind = StateKind>(
  handle: Connection,
  kind: Kind,
  record: State[Kind][number],
  more = '',
): Promise<Row[]> {
  const fields = Object.entries(stored[kind])
  const names = fields.map(([name]) => name).join(', ')
  const places = fields.map(() => '?').join(', ')
  const values = fields.map(([, read]) => read(record) ?? null)
  return handle.all<Row>(`INSERT INTO ${kind} (${names}) VALUES (${places}) ${more}`, ...values)
}

/** The statement that adds records, given as JSON, in their order. */
function insertFromJson(kind: StateKind, more: string): string {
  const names = Object.keys(stored[kind])
  const values = names.map((_, i) => `value ->> ${i}`)
  // "WHERE true" tells SQLite that ON CONFLICT is not the condition of a join.
  return `INSERT INTO ${kind} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM json_each(?) WHERE true ORDER BY key ${more}`
}

function toJson<Kind extends StateKind>(kind: Kind, records: readonly State[Kind][number][]): string {
  const fields = Object.values(stored[kind])
  return JSON.stringify(records.map((record) => fields.map((read) => read(record) ?? null)))
}

/** Adds projects in one statement; fails where one with the id of one of them is there. */
export const insertProjects: BatchStatement<Project, void> = {
  async run(handle, projects) {
    await handle.run(insertFromJson('projects', ''), toJson('projects', projects))
    return []
  },
  changed: (projects) => ({ rows: projects.length, teams: projects.map(({ teamId }) => teamId) }),
}

/** Adds entries to the waitlist in one statement, and says of each whether it was not there before. */
export const insertEntries: BatchStatement<WaitlistEntry, boolean> = {
  async run(handle, entries) {
    const sql = insertFromJson('waitlist', 'ON CONFLICT (email) DO NOTHING RETURNING email')
    const rows = await handle.all<{ email: string }>(sql, toJson('waitlist', entries))
    const added = new Set(rows.map(({ email }) => email))
    // Of the same address twice the first one was added.
    return entries.map(({ email }) => added.delete(email))
  },
  changed: (_, added) => ({ rows: added.filter(Boolean).length, teams: [] }),
}

/** How many records go to SQLite in one call: large states load fast, and no call gets too long. */
const batchSize = 1000

/** Adds the records whose ids are not there yet, in their order, and gives the number of those added. */
export async function insertMissing<Kind extends StateKind>(
  handle: Connection,
  kind: Kind,
  records: readonly State[Kind][number][],
): Promise<number> {
  const [name] = Object.keys(stored[kind])
  const sql = insertFromJson(kind, `ON CONFLICT (${name}) DO NOTHING`)
  let added = 0
  for (let start = 0; start < records.length; start += batchSize) {
    added += await handle.run(sql, toJson(kind, records.slice(start, start + batchSize)))
  }
  return added
}
