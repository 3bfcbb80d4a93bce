import type { Store } from '../../../src/store/store.js'

/** A store whose teams keep their version, so that cached responses stay valid. */
export function unchangedStore<Kept extends Store>(store: Kept): Kept {
  const { caller, listProjects, listProjectNames } = store
  const version = 'the same'
  return Object.assign(store, {
    async caller(sessionId: string) {
      const found = await caller(sessionId)
      return found && { ...found, ...(found.team && { version }) }
    },
    listProjects: async (teamId: string) => ({ ...(await listProjects(teamId)), version }),
    listProjectNames: async (teamId: string) => ({ ...(await listProjectNames(teamId)), version }),
  })
}
