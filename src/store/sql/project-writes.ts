import type { TeamLimits } from '../../contract/limits.js'
import type { Project, ProjectChanges } from '../../contract/schemas.js'
import { auditEntry } from '../audit-entry.js'
import type { AuditEntry, AuditEvent, Origin } from '../audit-log.js'
import { decideWrite } from '../decide-write.js'
import { type Refusal, requireFilter, type Store, StoreUnavailableError } from '../store.js'
import { appendEntries } from './audit.js'
import { lockTeams } from './lock-teams.js'
import { isProject } from './project-reads.js'
import { fields, storedColumns, toJson } from './record-columns.js'
import type { Dialect, SqlConnection } from './sql-database.js'
import { insertRecords } from './state.js'
import type { WriteKind, WriteQueue } from './write-queue.js'

type ProjectWrite = {
  teamId: string
  project?: Project
  projectId?: string
  changes?: ProjectChanges
  limits?: TeamLimits
  newName?: string
  by?: Origin
}
/** Whether another project of the team has the new name, and the project to change. */
type Found = { isTaken: boolean; current: Project | undefined }
type Written = { result?: Project | Refusal; entry?: AuditEntry }

/**
 * @param onAudit called for each entry after the commit
 * @param recordedOrigin the origin to record, or undefined if the change is not recorded
 */
export function projectWrites(
  queue: WriteQueue,
  dialect: Dialect,
  onAudit: (entry: AuditEntry) => void,
  recordedOrigin: (by: Origin | undefined) => Origin | undefined,
): Pick<Store, 'addProject' | 'updateProject'> {
  const kind = projectKind(dialect)
  const write = async (item: ProjectWrite): Promise<Written['result']> => {
    const { result, entry } = await queue.add(item.teamId, kind, item)
    if (entry) onAudit(entry)
    return result
  }
  return {
    async addProject(project, limits, newName, by) {
      const { teamId, id: projectId } = project
      requireFilter({ teamId, projectId })
      const result = await write({ teamId, project, limits, newName, by: recordedOrigin(by) })
      return typeof result === 'string' ? result : undefined
    },
    async updateProject(teamId, projectId, changes, limits, newName, by) {
      requireFilter({ teamId, projectId })
      return write({ teamId, projectId, changes, limits, newName, by: recordedOrigin(by) })
    },
  }
}

/**
 * Writes new projects and updates of any teams: locks the teams, looks names and projects up, decides in order, and writes.
 * All names are looked up before the first insert, so that two concurrent creations of one name may both succeed (4.1, rule
 * 2), and under the lock, so that a retry finds the write of the first attempt.
 */
const projectKind = (dialect: Dialect): WriteKind<ProjectWrite, Written> => ({
  name: 'projects',
  async write(connection, writes) {
    const teams = writes.map(({ teamId }) => teamId)
    // Sent together. The look-up is a statement of its own: it begins after the lock, and sees what the lock waited for.
    const [sizes, found] = await Promise.all([
      lockTeams(connection, dialect, teams),
      lookUp(connection, dialect, writes),
    ])
    const added: Project[] = []
    const updated = new Map<string, Project>()
    const entries: AuditEntry[] = []

    const record = (by: Origin | undefined, event: AuditEvent): AuditEntry | undefined => {
      if (!by) return undefined
      const entry = auditEntry(by, event)
      entries.push(entry)
      return entry
    }
    const decide = (write: ProjectWrite): Written => {
      const { teamId, project: created, projectId = '', changes = {}, limits, newName, by } = write
      const { isTaken = false, current: stored } = found.get(write) ?? {}
      const key = created ? '' : JSON.stringify([teamId, projectId])
      const current = updated.get(key) ?? stored
      const size = sizes.get(teamId) ?? { projects: 0, bytes: 0 }
      const decision = decideWrite({ created, current, changes, newName, limits }, isTaken, size)
      if (!decision) return {}
      if ('refusal' in decision) return { result: decision.refusal }
      const { project, growth } = decision
      sizes.set(teamId, { projects: size.projects + growth.projects, bytes: size.bytes + growth.bytes })
      // The names of the fields, never their texts.
      if (created) {
        added.push(created)
        const details = { fields: created.description === null ? 'name' : 'name description' }
        return { entry: record(by, { action: 'project.create', target: created.id, details }) }
      }
      updated.set(key, project)
      const details = { fields: Object.keys(changes).join(' ') }
      return { result: project, entry: record(by, { action: 'project.update', target: projectId, details }) }
    }

    const results = writes.map((write) => {
      if (sizes.has(write.teamId)) return decide(write)
      return write.project
        ? new StoreUnavailableError('What the record belongs to was removed meanwhile')
        : {}
    })
    await Promise.all([
      added.length > 0 && insertRecords(connection, dialect, 'projects', added),
      updated.size > 0 && updateProjects(connection, dialect, [...updated.values()]),
      appendEntries(connection, dialect, entries),
    ])
    return results
  },
})

/** Looks up the projects to change, and whether another project of the team has the new name. */
async function lookUp(
  connection: SqlConnection,
  { items, object, hasValue }: Dialect,
  writes: ProjectWrite[],
): Promise<Map<ProjectWrite | undefined, Found>> {
  // Most writes are new projects with free names: rows without a result are left out.
  const rows = await connection.all<{ at: number; current: string | null; taken: number | boolean }>(
    `SELECT * FROM (
       SELECT CAST(number AS integer) AS at, (
         SELECT CAST(${object(fields.projects)} AS text) FROM projects
         WHERE ${isProject('item ->> 0', 'item ->> 1')}
       ) AS current, EXISTS (
         SELECT 1 FROM projects WHERE team_id = item ->> 0 AND ${hasValue('name_key', 'item ->> 2')}
           AND id <> coalesce(item ->> 1, '')
       ) AS taken FROM ${items('$1')}
     ) AS found WHERE current IS NOT NULL OR taken`,
    JSON.stringify(writes.map(({ teamId, projectId, newName }) => [teamId, projectId, newName])),
  )
  return new Map(
    rows.map(({ at, taken, current }): [ProjectWrite | undefined, Found] => [
      writes[at],
      { isTaken: Boolean(taken), current: current === null ? undefined : JSON.parse(current) },
    ]),
  )
}

/** Writes the fields of projects that may change, within the transaction of the caller. */
export const updateProjects = (
  connection: SqlConnection,
  { items }: Dialect,
  projects: Project[],
): Promise<number> => {
  const place = (column: string) => `item ->> ${storedColumns('projects').indexOf(column)}`
  const set = ['name', 'name_key', 'description', 'status'].map((column) => `${column} = ${place(column)}`)
  const sql = `UPDATE projects SET ${set.join(', ')} FROM ${items('$1')}
    WHERE team_id = ${place('team_id')} AND projects.id = ${place('id')}`
  return connection.run(sql, toJson('projects', projects))
}
