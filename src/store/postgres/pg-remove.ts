import type { RemovedRecords } from '../audited-changes.js'
import type { Removal } from '../store.js'
import type { Connection } from './pg-connection.js'
import { lockSizes } from './pg-team-room.js'

/** Removes records and what depends on them, within the transaction of the caller. See `Store.remove`. */
export async function removeRecords(
  connection: Connection,
  { teams = [], users = [], projects = [], waitlist = [] }: Removal,
): Promise<RemovedRecords> {
  const ids = { teams: [...teams], users: [...users], waitlist: [...waitlist] }
  const scopes = ['', ...teams, ...projects.map(({ teamId }) => teamId)]
  // What others lock first is locked first: a user, a team, then what the change feed records of them. After that no
  // project or session can be added to them.
  await connection.all('SELECT FROM users WHERE id = ANY($1::text[]) ORDER BY id FOR UPDATE', ids.users)
  await connection.all(
    'SELECT FROM teams WHERE id = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE',
    ids.teams,
  )
  await lockSizes(connection, scopes)

  const sessions = `DELETE FROM sessions WHERE user_id = ANY($1::text[])
    OR org_code IN (SELECT org_code FROM teams WHERE id = ANY($2::text[]))`
  const ofTeams = 'DELETE FROM projects WHERE team_id = ANY($1::text[])'
  const byKey = `DELETE FROM projects USING jsonb_array_elements($1::jsonb) AS key
    WHERE team_id = key ->> 0 AND id = key ->> 1`
  const keys = JSON.stringify(projects.map(({ teamId, id }) => [teamId, id]))
  const removeNamed = async (sql: string, list: string[] | string) => {
    const rows = await connection.all<{ id: string }>(`${sql} RETURNING id`, list)
    return rows.map(({ id }) => id)
  }
  const ended = await connection.run(sessions, ids.users, ids.teams)
  const removedWithTeams = await connection.run(ofTeams, ids.teams)
  const named = {
    projects: await removeNamed(byKey, keys),
    users: await removeNamed('DELETE FROM users WHERE id = ANY($1::text[])', ids.users),
    teams: await removeNamed('DELETE FROM teams WHERE id = ANY($1::text[])', ids.teams),
  }
  const counts = {
    teams: named.teams.length,
    users: named.users.length,
    sessions: ended,
    projects: removedWithTeams + named.projects.length,
    waitlist: await connection.run('DELETE FROM waitlist WHERE email = ANY($1::text[])', ids.waitlist),
  }
  // That the teams changed is recorded in the scope of everything.
  await connection.run("DELETE FROM changes WHERE scope <> '' AND scope = ANY($1::text[])", ids.teams)
  return { counts, ...named }
}
