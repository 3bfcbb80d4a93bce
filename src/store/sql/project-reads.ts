import type { TeamSize } from '../../contract/limits.js'
import type { Project, ProjectName } from '../../contract/schemas.js'
import { type ProjectList, requireFilter, type StoreReader } from '../store.js'
import { type LargeListMemory, rememberNames, shareLargeLists } from './large-lists.js'
import { bytes } from './lock-teams.js'
import { columns, fields, first } from './record-columns.js'
import type { Dialect, SqlReader } from './sql-database.js'

/** Beyond this length in bytes a list is large. A project counts with 200 bytes beside its text. */
const largeListBytes = 1024 * 1024

/** What is read of the projects of a team. */
export function projectReads({ read, readLarge, dialect }: SqlReader) {
  const listOf = <Item>(shown: Record<string, string>, memory?: LargeListMemory<Item>) => {
    const sql = listQuery(dialect, shown)
    /** @returns without projects where they have more bytes */
    const load = async (query: typeof read, teamId: string, maxBytes: number) => {
      const [row] = await query<{ list: string }>(sql, teamId, maxBytes)
      const { projects = [], version }: { projects?: Item[] | null; version?: string | null } = row
        ? JSON.parse(row.list)
        : {}
      return { projects, version: version ?? undefined }
    }
    const loadLarge = shareLargeLists(async (teamId) => {
      const { projects, version } = await load(readLarge, teamId, Number.MAX_SAFE_INTEGER)
      return { projects: projects ?? [], version }
    }, memory)
    return async (teamId: string): Promise<ProjectList<Item>> => {
      requireFilter({ teamId })
      const { projects, version } = await load(read, teamId, largeListBytes)
      return projects ? { projects, version } : loadLarge(teamId, version)
    }
  }

  return {
    listProjects: listOf<Project>(fields.projects),
    listProjectNames: listOf<ProjectName>({ id: 'id', name: 'name' }, rememberNames()),
    async teamSize(teamId) {
      requireFilter({ teamId })
      const sql = `SELECT projects, ${bytes} AS bytes FROM changes WHERE scope = $1`
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
 * The list of section 4.2 as one JSON text, with the version of the team; null in its place if it has too many bytes. The
 * order of the inner query, which is that of an index, is the order of the array.
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
 * A condition on projects: the one of a team with an id. As a row value it is found by the index of both: a project of
 * another team is not read, which would take time that tells whether it exists.
 */
export const isProject = (team: string, id: string): string =>
  `(id, team_id) IN (SELECT CAST(${id} AS text), CAST(${team} AS text))`
