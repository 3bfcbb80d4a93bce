import { LRUCache } from 'lru-cache'
import type { TeamSize } from '../../contract/limits.js'
import type { Project, ProjectName } from '../../contract/schemas.js'
import { createQueue } from '../queue.js'
import { type ProjectList, requireFilter, type StoreReader } from '../store.js'
import { bytes } from './lock-teams.js'
import { columns, fields, first } from './record-columns.js'
import type { Dialect, SqlReader } from './sql-database.js'

/** Beyond this length in bytes a list is large. A project counts with 200 bytes beside its text. */
const largeListBytes = 1024 * 1024

/** How much is remembered of the names of large teams, in characters. */
const maxNames = 32 * 1024 * 1024

/** What is read of the projects of a team. */
export function projectReads({ read, readLarge, dialect }: SqlReader) {
  const listOf = <Item>(shown: Record<string, string>, known?: LRUCache<string, ProjectList<Item>>) => {
    const sql = listQuery(dialect, shown)
    const load = async (query: typeof read, teamId: string, maxBytes: number) => {
      const [row] = await query<{ list: string }>(sql, teamId, maxBytes)
      const { projects = [], version }: { projects?: Item[] | null; version?: string | null } = row
        ? JSON.parse(row.list)
        : {}
      return { projects, version: version ?? undefined }
    }
    const enqueue = createQueue()
    const loading = new Map<string, Promise<ProjectList<Item>>>()
    const knownAt = (teamId: string, version: string | undefined) => {
      const large = known?.get(teamId)
      return large?.version === version ? large : undefined
    }
    const loadLarge = async (teamId: string, seen: string | undefined): Promise<ProjectList<Item>> => {
      const large = knownAt(teamId, seen)
      if (large) return large
      const { projects, version } = await load(readLarge, teamId, Number.MAX_SAFE_INTEGER)
      const list = { projects: projects ?? [], version }
      known?.set(teamId, list)
      return list
    }
    return async (teamId: string): Promise<ProjectList<Item>> => {
      requireFilter({ teamId })
      const { projects, version } = await load(read, teamId, largeListBytes)
      if (projects) return { projects, version }
      const key = JSON.stringify([teamId, version])
      const same = knownAt(teamId, version) ?? loading.get(key)
      if (same) return same
      // One at a time, where it delays no request; all who saw one version of a list share it.
      const own = enqueue(() => loadLarge(teamId, version)).finally(() => loading.delete(key))
      loading.set(key, own)
      return own
    }
  }
  // Every session of a team shows its names. A large list is used again while the team has its version.
  const largeNames = new LRUCache<string, ProjectList<ProjectName>>({
    maxSize: maxNames,
    sizeCalculation: ({ projects }) =>
      projects.reduce((sum, { id, name }) => sum + id.length + name.length + 50, 1),
  })

  return {
    listProjects: listOf<Project>(fields.projects),
    listProjectNames: listOf<ProjectName>({ id: 'id', name: 'name' }, largeNames),
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
