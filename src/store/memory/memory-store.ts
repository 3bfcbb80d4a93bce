import type { TeamSize } from '../../contract/limits.js'
import type { Project } from '../../contract/schemas.js'
import { decideWrite } from '../decide-write.js'
import { toUser } from '../record-fields.js'
import type { State } from '../state-file.js'
import { type OperationStore, requireFilter, StoreUnavailableError } from '../store.js'
import {
  createMemoryDatabase,
  loadRecords,
  type MemoryDatabase,
  projectKey,
  reportingChanges,
  stateOf,
} from './memory-database.js'
import { nextTurn } from './next-turn.js'
import type { OnRecordChange } from './record-changes.js'
import { createRecordEditor } from './record-editor.js'

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const newestProject = (a: Project, b: Project) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id)

export type MemoryStore = ReturnType<typeof createMemoryStore>

/** Creates the store of the mock, over @mswjs/data. It runs in browsers too. */
export function createMemoryStore(state?: State) {
  const db = createMemoryDatabase()
  if (state) loadRecords(db, state)
  return {
    ...storeOver(db),
    state: () => stateOf(db),
    /** Reads and edits single records. Reports the changes of each edit before the edit returns. */
    editor: (onChange: OnRecordChange) => createRecordEditor(reportingChanges(db, onChange)),
    /** A view of the store for one caller. Each change through it is reported at once. */
    reporting: (onChange: OnRecordChange) => storeOver(reportingChanges(db, onChange)),
  }
}

export function storeOver(db: MemoryDatabase): OperationStore {
  const teamOf = (orgCode: string) => db.teams.allWith('orgCode', orgCode)[0]
  const sizeOf = (teamId: string): TeamSize => db.sizes.get(teamId) ?? { projects: 0, bytes: 0 }
  const listOf = (teamId: string) => {
    requireFilter({ teamId })
    return db.projects.allWith('team', teamId).sort(newestProject)
  }
  const projectOfTeam = (teamId: string, projectId: string) => {
    requireFilter({ teamId, projectId })
    const project = db.projects.get(projectId)
    return project?.teamId === teamId ? project : undefined
  }
  const isTaken = (teamId: string, name: string | undefined) =>
    name !== undefined && db.projects.allWith('name', projectKey(teamId, name)).length > 0
  return {
    listProjects: async (teamId) => ({ projects: listOf(teamId), version: db.versions.get(teamId) }),
    listProjectNames: async (teamId) => ({ projects: listOf(teamId).map(({ id, name }) => ({ id, name })) }),
    project: async (teamId, projectId) => projectOfTeam(teamId, projectId),
    async addProject(project, limits, newName) {
      const { teamId, id: projectId } = project
      requireFilter({ teamId, projectId })
      const wasTaken = isTaken(teamId, newName)
      await nextTurn()
      if (!db.teams.get(teamId)) throw new StoreUnavailableError('The team was removed meanwhile')
      const decision = decideWrite({ created: project, limits }, wasTaken, sizeOf(teamId))
      if (decision && 'refusal' in decision) return decision.refusal
      db.projects.create(project)
      return undefined
    },
    async updateProject(teamId, projectId, changes, limits, newName) {
      const write = { current: projectOfTeam(teamId, projectId), changes, newName, limits }
      const decision = decideWrite(write, isTaken(teamId, newName), sizeOf(teamId))
      if (!decision) return undefined
      return 'refusal' in decision ? decision.refusal : db.projects.update(projectId, changes)
    },

    async addToWaitlist(entry) {
      if (db.waitlist.get(entry.email)) return false
      db.waitlist.create(entry)
      return true
    },
    async caller(sessionId) {
      const session = db.sessions.get(sessionId)
      const user = session && db.users.get(session.userId)
      if (!user) return undefined
      const { sid: _, ...rest } = session
      return { session: rest, user: toUser(user), team: rest.orgCode ? teamOf(rest.orgCode) : undefined }
    },
  }
}
