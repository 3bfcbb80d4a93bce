import type { TeamSize } from '../../contract/limits.js'
import type { Project, ProjectName, User } from '../../contract/schemas.js'
import type { BatchQuery } from '../batch-reader.js'
import { fields, type SessionRow } from '../rows.js'
import type { Team } from '../state-file.js'
import { isNamed } from './pg-named.js'

/**
 * A query for many keys: for each the JSON that an expression finds, null where it finds none. The expression is a
 * subquery, which is run for each key: a join might read a whole table. A key is `value`, or `part_1` and `part_2`.
 */
const forEachKey = <Row>(expression: string): BatchQuery<Row> => ({
  sql: `SELECT (position - 1)::int AS at, (${expression})::text AS found FROM (
      SELECT position, key #>> '{}' AS value, key ->> 0 AS part_1, key ->> 1 AS part_2
      FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS keys (key, position)
    ) AS keys`,
})

const json = (table: string, columns: Record<string, string>): string =>
  `json_build_object(${Object.entries(columns).map(([field, column]) => `'${field}', ${table}.${column}`)})`

const matching = <Row>(table: string, columns: Record<string, string>, condition: string) =>
  forEachKey<Row>(`SELECT ${json(table, columns)} FROM ${table} WHERE ${condition}`)

export const teamOfOrganization = matching<Team>('teams', fields.teams, 'org_code = value')
export const userWithId = matching<User>('users', fields.user, 'id = value')
export const callerWithSession = forEachKey<{ session: SessionRow; user: User; team: Team | null }>(
  `SELECT json_build_object(
     'session', ${json('sessions', fields.session)},
     'user', (SELECT ${json('users', fields.user)} FROM users WHERE users.id = sessions.user_id),
     'team', (SELECT ${json('teams', fields.teams)} FROM teams WHERE teams.org_code = sessions.org_code)
   ) FROM sessions WHERE sessions.id = value`,
)
export const projectWithId = matching<Project>(
  'projects',
  fields.projects,
  'team_id = part_1 AND id = part_2',
)
/** The first of the projects with the name. */
export const projectNamed = matching<Project>(
  'projects',
  fields.projects,
  `${isNamed('part_1', 'part_2')} ORDER BY position LIMIT 1`,
)
export const teamSize = matching<TeamSize>(
  'changes',
  { projects: 'projects', bytes: 'bytes' },
  "scope = value AND scope <> ''",
)

const listOfTeam = (columns: Record<string, string>) =>
  `SELECT coalesce(json_agg(${json('listed', columns)}), '[]') FROM (
    SELECT * FROM projects WHERE team_id = value ORDER BY created_at DESC, id DESC
  ) AS listed`
/** Beyond this length in bytes a list is large. A project counts with 200 bytes beside its text. */
const largeListBytes = 1024 * 1024
/** The list of section 4.2; null for a large one. */
const smallList = <Row>(columns: Record<string, string>) =>
  forEachKey<Row[] | null>(
    `SELECT CASE WHEN (SELECT bytes + 200 * projects FROM changes WHERE scope = value) > ${largeListBytes}
       THEN 'null'::json ELSE (${listOfTeam(columns)}) END`,
  )
const largeList = <Row>(columns: Record<string, string>) => forEachKey<Row[]>(listOfTeam(columns))
const nameFields = { id: 'id', name: 'name' }

export const projectsOfTeam = smallList<Project>(fields.projects)
/** The same for a list of any length. */
export const projectsOfLargeTeam = largeList<Project>(fields.projects)
export const namesOfTeam = smallList<ProjectName>(nameFields)
/** The same for a list of any length. */
export const namesOfLargeTeam = largeList<ProjectName>(nameFields)
