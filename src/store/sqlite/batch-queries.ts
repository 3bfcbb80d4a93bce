import type { TeamSize } from '../../contract/limits.js'
import type { Project, ProjectName, User } from '../../contract/schemas.js'
import type { BatchQuery } from '../batch-reader.js'
import { fields, type SessionRow } from '../rows.js'
import type { Team } from '../state-file.js'

// The `?` of each query is a JSON array of keys. A key is `value`, or `value ->> 0` and so on.

const json = (table: string, columns: Record<string, string>): string =>
  `json_object(${Object.entries(columns).map(([field, column]) => `'${field}', ${table}.${column}`)})`

const matching = <Row>(
  table: string,
  columns: Record<string, string>,
  condition: string,
): BatchQuery<Row> => ({
  sql: `SELECT key AS at, ${json(table, columns)} AS found FROM json_each(?) CROSS JOIN ${table} ON ${condition}`,
})

export const teamOfOrganization = matching<Team>('teams', fields.teams, 'teams.org_code = value')
export const userWithId = matching<User>('users', fields.user, 'users.id = value')
export const callerWithSession: BatchQuery<{ session: SessionRow; user: User; team: Team | null }> = {
  sql: `SELECT key AS at, json_object(
      'session', ${json('sessions', fields.session)},
      'user', ${json('users', fields.user)},
      'team', iif(teams.id IS NULL, NULL, ${json('teams', fields.teams)})
    ) AS found FROM json_each(?) CROSS JOIN sessions ON sessions.id = value
    CROSS JOIN users ON users.id = user_id LEFT JOIN teams ON teams.org_code = sessions.org_code`,
}
export const projectWithId = matching<Project>(
  'projects',
  fields.projects,
  'projects.team_id = value ->> 0 AND projects.id = value ->> 1',
)
/** Every project with the name, in insertion order. */
export const projectsNamed = matching<Project>(
  'projects',
  fields.projects,
  'projects.team_id = value ->> 0 AND name_key = value ->> 1 ORDER BY at, position',
)
export const teamSize = matching<TeamSize>(
  'changes',
  { projects: 'projects', bytes: 'bytes' },
  'changes.scope = value',
)

/** The order of the inner query is the order of the array. */
const listOfTeam = (columns: Record<string, string>): string =>
  `(SELECT json_group_array(${json('project', columns)}) FROM (
    SELECT * FROM projects WHERE team_id = value ORDER BY created_at DESC, id DESC
  ) AS project)`
/** Beyond this length in bytes a list is large. A project counts with 200 bytes beside its text. */
const largeListBytes = 1024 * 1024
const smallList = <Row>(columns: Record<string, string>): BatchQuery<Row[] | null> => ({
  sql: `SELECT key AS at, iif(
      (SELECT bytes + 200 * projects FROM changes WHERE scope = value) > ${largeListBytes}, 'null', ${listOfTeam(columns)}
    ) AS found FROM json_each(?)`,
})
const largeList = <Row>(columns: Record<string, string>): BatchQuery<Row[]> => ({
  sql: `SELECT key AS at, ${listOfTeam(columns)} AS found FROM json_each(?)`,
})
/** The list of section 4.2; null for a large one. */
export const projectsOfTeam = smallList<Project>(fields.projects)
/** The same for a list of any length. */
export const projectsOfLargeTeam = largeList<Project>(fields.projects)
const nameFields = { id: 'id', name: 'name' }
/** Id and name of each project of the list; null for a large one. */
export const namesOfTeam = smallList<ProjectName>(nameFields)
/** The same for a list of any length. */
export const namesOfLargeTeam = largeList<ProjectName>(nameFields)

/** The schema's version, the last serial, and the scopes that changed after a serial (see the migrations). */
export const changesAfter: BatchQuery<[schema: number, last: number, scopes: string[]]> = {
  sql: `SELECT key AS at, json_array(
      (SELECT schema_version FROM pragma_schema_version),
      (SELECT coalesce(max(serial), 0) FROM changes),
      (SELECT json_group_array(scope) FROM changes WHERE serial > CAST(value AS INTEGER))
    ) AS found FROM json_each(?)`,
}
