import type { TeamSize } from '../../contract/limits.js'
import type { Project, ProjectName } from '../../contract/schemas.js'
import { type ProjectList, requireFilter, type StoreReader } from '../store.js'
import { createNamesMemory, type LargeListMemory, shareLargeLists } from './large-lists.js'
import { bytesColumn } from './lock-teams.js'
import { columns, fields } from './record-columns.js'
import { type Dialect, first, type SqlReader } from './sql-database.js'

/** The length of a large list, in bytes, as the database estimates it: 200 bytes for each project beside its text. */
const largeListBytes = 1024 * 1024

export function projectReads({ read, readLarge, dialect }: SqlReader) {
  const listOf = <Item>(shown: Record<string, string>, memory?: LargeListMemory<Item>) => {
    const sql = listQuery(dialect, shown)
    /** @returns `projects` null if the list is longer than `maxBytes` */
    const readList = async (query: typeof read, teamId: string, maxBytes: number) => {
      const [row] = await query<{ list: string }>(sql, teamId, maxBytes)
      const { projects = [], version }: { projects?: Item[] | null; version?: string | null } = row
        ? JSON.parse(row.list)
        : {}
      return { projects, version: version ?? undefined }
    }
    const loadLarge = shareLargeLists(async (teamId) => {
      const { projects, version } = await readList(readLarge, teamId, Number.MAX_SAFE_INTEGER)
      return { projects: projects ?? [], version }
    }, memory)
    return async (teamId: string): Promise<ProjectList<Item>> => {
      requireFilter({ teamId })
      const { projects, version } = await readList(read, teamId, largeListBytes)
      return projects ? { projects, version } : loadLarge(teamId, version)
    }
  }

  return {
    listProjects: listOf<Project>(fields.projects),
    async projectsAfter(teamId, last, limit) {
      requireFilter({ teamId })
      const values = last ? [teamId, limit, last.createdAt, last.id] : [teamId, limit]
      const sql = `SELECT ${columns.projects} FROM projects
        WHERE team_id = $1 ${last ? 'AND (created_at, id) < ($3, $4)' : ''}
        ORDER BY created_at DESC, id DESC LIMIT $2`
      return readLarge<Project>(sql, ...values)
    },
    listProjectNames: listOf<ProjectName>({ id: 'id', name: 'name' }, createNamesMemory()),
    async teamSize(teamId) {
      requireFilter({ teamId })
      const sql = `SELECT projects, ${bytesColumn} AS bytes FROM changes WHERE scope = $1`
      return (await first(read<TeamSize>(sql, teamId))) ?? { projects: 0, bytes: 0 }
    },
    async project(teamId, projectId) {
      requireFilter({ teamId, projectId })
      const sql = `SELECT ${columns.projects} FROM projects WHERE ${isProject('$1', '$2')}`
      return first(read<Project>(sql, teamId, projectId))
    },
  } satisfies Partial<StoreReader>
}

/**
 * The list of section 4.2 as one JSON text, or null if it is too long, with the version of the team. The inner query has the
 * order of an index, which is the order of the array.
 */
const listQuery = ({ object, list }: Dialect, shown: Record<string, string>): string => `
  SELECT CAST(${object({
    version: 'changes.version',
    projects: `(CASE WHEN changes.bytes + 200 * changes.projects <= CAST($2 AS bigint) THEN (
      SELECT ${list(object(shown))} FROM (
        SELECT * FROM projects WHERE team_id = changes.scope ORDER BY created_at DESC, id DESC
      ) AS ordered
    ) END)`,
  })} AS text) AS list FROM changes WHERE scope = $1`

/**
 * Selects the project of a team by its id. As a row value it uses the index of both: reading a project of another team would
 * take time that reveals it.
 */
export const isProject = (team: string, id: string): string =>
  `(id, team_id) IN (SELECT CAST(${id} AS text), CAST(${team} AS text))`
