import type { AuditEvent } from '../audit-log.js'
import type { StateCounts } from '../state-file.js'
import { type Removal, requireIds } from '../store.js'
import { type RecordEvent, recordCounts, withoutZeros } from './audit.js'
import { lockTeams } from './lock-teams.js'
import type { Dialect, SqlConnection } from './sql-database.js'

/** Removes records and their dependants, within the transaction of the caller. See `Store.remove`. */
export async function removeRecords(
  connection: SqlConnection,
  dialect: Dialect,
  removal: Removal,
  record: RecordEvent,
): Promise<StateCounts> {
  const { items, lock, lockGlobalScope } = dialect
  requireIds(removal)
  const { teams = [], users = [], projects = [], waitlist = [] } = removal
  const listed = (parameter: string) => `(SELECT item ->> 0 FROM ${items(parameter)})`
  const json = (ids: readonly string[]) => JSON.stringify(ids.map((id) => [id]))
  const keys = JSON.stringify(projects.map(({ teamId, id }) => [teamId, id]))
  if (lockGlobalScope) {
    // The order of locks is that of other transactions: users, teams, then the global scope. From here on no project or
    // session can be added.
    const scopes = [...teams, ...projects.map(({ teamId }) => teamId)]
    await connection.all(`SELECT id FROM users WHERE id IN ${listed('$1')} ORDER BY id ${lock}`, json(users))
    await connection.all(
      `SELECT id FROM teams WHERE id IN ${listed('$1')} ORDER BY id FOR NO KEY UPDATE`,
      json(teams),
    )
    await connection.all(lockGlobalScope)
    await lockTeams(connection, dialect, scopes)
  }
  const removeNamed = async (sql: string, list: string) => {
    const rows = await connection.all<{ id: string }>(`${sql} RETURNING id`, list)
    return rows.map(({ id }) => id)
  }
  const sessions = `DELETE FROM sessions WHERE user_id IN ${listed('$1')}
    OR org_code IN (SELECT org_code FROM teams WHERE id IN ${listed('$2')})`
  const ended = await connection.run(sessions, json(users), json(teams))
  const ofTeams = `DELETE FROM projects WHERE team_id IN ${listed('$1')}`
  const removedWithTeams = await connection.run(ofTeams, json(teams))
  const byKey = `DELETE FROM projects WHERE (team_id, id) IN (SELECT item ->> 0, item ->> 1 FROM ${items('$1')})`
  const named = {
    projects: await removeNamed(byKey, keys),
    users: await removeNamed(`DELETE FROM users WHERE id IN ${listed('$1')}`, json(users)),
    teams: await removeNamed(`DELETE FROM teams WHERE id IN ${listed('$1')}`, json(teams)),
  }
  const counts = {
    teams: named.teams.length,
    users: named.users.length,
    sessions: ended,
    projects: removedWithTeams + named.projects.length,
    waitlist: await connection.run(`DELETE FROM waitlist WHERE email IN ${listed('$1')}`, json(waitlist)),
  }
  await connection.run(`DELETE FROM changes WHERE scope <> '' AND scope IN ${listed('$1')}`, json(teams))
  recordRemoval(named, counts, record)
  return counts
}

/** Records the dependants of one record in its entry, and those of several records in an entry of their own. */
function recordRemoval(
  { teams, users, projects }: Record<'teams' | 'users' | 'projects', string[]>,
  { waitlist, ...others }: StateCounts,
  record: RecordEvent,
): void {
  const events: AuditEvent[] = [
    ...teams.map((target) => ({ action: 'team.remove' as const, target })),
    ...users.map((userId) => ({ action: 'user.remove' as const, userId })),
    ...projects.map((target) => ({ action: 'project.remove' as const, target })),
  ]
  const details = events.length === 1 ? { details: withoutZeros(others) } : {}
  for (const event of events) record({ ...event, ...details })
  if (events.length > 1) recordCounts(record, 'data.remove', others)
  recordCounts(record, 'waitlist.remove', { waitlist })
}
