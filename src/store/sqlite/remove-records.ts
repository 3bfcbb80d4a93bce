import type { StateCounts } from '../state-file.js'
import type { Removal } from '../store.js'
import type { Connection } from './connection.js'

const listed = '(SELECT value FROM json_each(?))'

/** Removes records and what depends on them, within the transaction of the caller. See `Store.remove`. */
export async function removeRecords(
  connection: Connection,
  { teams = [], users = [], projects = [], waitlist = [] }: Removal,
): Promise<StateCounts> {
  const run = (sql: string, ...lists: (readonly unknown[])[]) =>
    connection.run(sql, ...lists.map((list) => JSON.stringify(list)))
  const keys = projects.map(({ teamId, id }) => [teamId, id])

  const sessions = `DELETE FROM sessions WHERE user_id IN ${listed}
    OR org_code IN (SELECT org_code FROM teams WHERE id IN ${listed})`
  const ofTeams = `DELETE FROM projects WHERE team_id IN ${listed}`
  const byKey =
    'DELETE FROM projects WHERE (team_id, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))'
  const removed: StateCounts = {
    sessions: await run(sessions, users, teams),
    projects: (await run(ofTeams, teams)) + (await run(byKey, keys)),
    users: await run(`DELETE FROM users WHERE id IN ${listed}`, users),
    teams: await run(`DELETE FROM teams WHERE id IN ${listed}`, teams),
    waitlist: await run(`DELETE FROM waitlist WHERE email IN ${listed}`, waitlist),
  }
  // That the teams changed is recorded in the scope of everything.
  await run(`DELETE FROM changes WHERE scope <> '' AND scope IN ${listed}`, teams)
  return removed
}
