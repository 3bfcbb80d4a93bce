import type { RemovedRecords } from '../audited-changes.js'
import type { Removal } from '../store.js'
import type { Connection } from './connection.js'

const listed = '(SELECT value FROM json_each(?))'

/** Removes records and what depends on them, within the transaction of the caller. See `Store.remove`. */
export async function removeRecords(
  connection: Connection,
  { teams = [], users = [], projects = [], waitlist = [] }: Removal,
): Promise<RemovedRecords> {
  const run = (sql: string, ...lists: (readonly unknown[])[]) =>
    connection.run(sql, ...lists.map((list) => JSON.stringify(list)))
  const removeNamed = async (sql: string, list: readonly unknown[]) => {
    const rows = await connection.all<{ id: string }>(`${sql} RETURNING id`, JSON.stringify(list))
    return rows.map(({ id }) => id)
  }
  const keys = projects.map(({ teamId, id }) => [teamId, id])

  const sessions = `DELETE FROM sessions WHERE user_id IN ${listed}
    OR org_code IN (SELECT org_code FROM teams WHERE id IN ${listed})`
  const ofTeams = `DELETE FROM projects WHERE team_id IN ${listed}`
  const byKey =
    'DELETE FROM projects WHERE (team_id, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))'
  const ended = await run(sessions, users, teams)
  const removedWithTeams = await run(ofTeams, teams)
  const named = {
    projects: await removeNamed(byKey, keys),
    users: await removeNamed(`DELETE FROM users WHERE id IN ${listed}`, users),
    teams: await removeNamed(`DELETE FROM teams WHERE id IN ${listed}`, teams),
  }
  const counts = {
    teams: named.teams.length,
    users: named.users.length,
    sessions: ended,
    projects: removedWithTeams + named.projects.length,
    waitlist: await run(`DELETE FROM waitlist WHERE email IN ${listed}`, waitlist),
  }
  // That the teams changed is recorded in the scope of everything.
  await run(`DELETE FROM changes WHERE scope <> '' AND scope IN ${listed}`, teams)
  return { counts, ...named }
}
