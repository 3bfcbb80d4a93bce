import { setImmediate } from 'node:timers/promises'
import { batch } from '../coalesce.js'
import type { FoundCaller } from '../store.js'
import { fields, type Row, sessionFields, toSession, userFields } from './record-columns.js'
import type { Dialect, SqlDatabase } from './sql-database.js'

/** Reads a session, its user, its team and the team's version. See `Store.caller`. */
export type ReadCaller = (sessionId: string) => Promise<FoundCaller | undefined>

type Found = Omit<FoundCaller, 'session' | 'team'> & { session: Row; team: FoundCaller['team'] | null }

/** Reads the callers of all waiting requests by one statement, which starts after the requests came. */
export function createCallerReader({ read, dialect }: Pick<SqlDatabase, 'read' | 'dialect'>): ReadCaller {
  const sql = callersQuery(dialect)
  return batch(async (sessionIds) => {
    const rows = await read<{ at: number; found: string | null; now: string | null }>(
      sql,
      JSON.stringify(sessionIds.map((id) => [id])),
    )
    const callers: (FoundCaller | undefined)[] = []
    for (const { at, found, now } of rows) callers[at] = found === null ? undefined : toCaller(found, now)
    return callers
  })
}

function toCaller(json: string, now: string | null): FoundCaller {
  const { session, user, team, version }: Found = JSON.parse(json)
  // A spread would be much slower in V8.
  return {
    session: toSession(session),
    user,
    team: team ?? undefined,
    version: version ?? undefined,
    now: now ?? undefined,
  }
}

/** Subqueries look each row up by its key; a join might scan a table. */
export const callersQuery = ({ items, object, now = 'NULL' }: Dialect): string => `
  SELECT number AS at, ${now} AS now, (
    SELECT CAST(${object({
      session: object(withTable('sessions', sessionFields)),
      user: `(SELECT ${object(withTable('users', userFields))} FROM users WHERE users.id = sessions.user_id)`,
      team: `(SELECT ${object(withTable('teams', fields.teams))} FROM teams WHERE teams.org_code = sessions.org_code)`,
      version: `(SELECT version FROM changes WHERE scope = (
        SELECT teams.id FROM teams WHERE teams.org_code = sessions.org_code))`,
    })} AS text) FROM sessions WHERE sessions.id = item ->> 0
      AND EXISTS (SELECT 1 FROM users WHERE users.id = sessions.user_id)
  ) AS found FROM ${items('$1')}`

const withTable = (table: string, columns: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, `${table}.${column}`]))

const maxCallers = 10_000

/**
 * Remembers callers until the change counter of the file moves. Every commit, by any process, moves it. The counter is read
 * once for all requests of an event-loop turn, at its end.
 */
export function rememberCallers(changeCounter: () => number | undefined, readCaller: ReadCaller): ReadCaller {
  /** The callers at the value of `knownCounter`. */
  const callers = new Map<string, FoundCaller>()
  let knownCounter: number | undefined
  let reading: Promise<number | undefined> | undefined
  const readCounter = () => {
    reading = undefined
    return changeCounter()
  }
  return async (sessionId) => {
    // Read before the query: a commit in between moves the counter.
    reading ??= setImmediate().then(readCounter)
    const counter = await reading
    if (counter === undefined) return readCaller(sessionId)
    if (counter !== knownCounter) callers.clear()
    knownCounter = counter
    const known = callers.get(sessionId)
    if (known) return known
    const caller = await readCaller(sessionId)
    if (callers.size >= maxCallers) callers.clear()
    if (caller && counter === knownCounter) callers.set(sessionId, caller)
    return caller
  }
}
