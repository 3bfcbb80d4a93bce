import type { OperationStore } from '../../store/store.js'
import type { Scenario } from './scenarios.js'

/**
 * The store for one call under a named scenario.
 * @param apply counts the scenario down; returns whether it still applies
 */
export function withScenario(
  store: OperationStore,
  { target }: Scenario,
  apply: () => boolean,
): OperationStore {
  const overrides: Partial<OperationStore> =
    target === 'empty'
      ? {
          listProjects: async (teamId) => (apply() ? { projects: [] } : store.listProjects(teamId)),
          listProjectNames: async (teamId) => (apply() ? { projects: [] } : store.listProjectNames(teamId)),
        }
      : {
          // The look-up misses the existing project, as for concurrent creations (4.1, rule 2).
          async updateProject(teamId, projectId, changes, limits, newName) {
            const updated = await store.updateProject(teamId, projectId, changes, limits, newName)
            const isMissed = updated === 'name' && apply()
            return isMissed ? store.updateProject(teamId, projectId, changes, limits) : updated
          },
          async addProject(project, limits, newName) {
            const refusal = await store.addProject(project, limits, newName)
            return refusal === 'name' && apply() ? store.addProject(project, limits) : refusal
          },
        }
  return new Proxy(store, { get: (_, method: keyof OperationStore) => overrides[method] ?? store[method] })
}
