import type { OperationName } from '../../contract/operations.js'
import type { Api, Call } from '../../handlers/api.js'
import type { Store } from '../../store/store.js'
import { explain } from './explain.js'
import { type Forcing, type ForcingCall, type ScenarioResult, titleOf } from './forcing.js'
import type { Scenario, Scenarios } from './scenarios.js'

/** A call, and what scenarios depend on: also the cookie as it may be logged. */
export type ScenarioCall = ForcingCall & { call: Call; cookie?: string }

export type ScenarioRunner = (name: OperationName, call: ScenarioCall) => Promise<ScenarioResult>

/** Applies what is forced, and named scenarios, between the adapter and the pipeline. Other calls pass unchanged. */
export function createScenarioRunner(scenarios: Scenarios, forcing: Forcing, api: Api): ScenarioRunner {
  return async (name, { call, cookie, ...forcingCall }) => {
    const forced = await forcing(name, forcingCall)
    if (forced) return forced

    const scenario = scenarios.find(name, forcingCall.session)
    let applied = false
    const apply = () => {
      applied = scenario !== undefined && scenarios.consume(scenario)
      return applied
    }
    const seen = scenario ? { ...call, store: withScenario(call.store, scenario, apply) } : call
    const reply = await api.call(name, seen)
    return applied && scenario
      ? { reply, why: titleOf(scenario), forcedBy: 'scenario' }
      : { reply, why: explain(reply, cookie) }
  }
}

/**
 * The store as one call sees it under a named scenario.
 * @param apply counts the scenario down; returns whether it still applies
 */
function withScenario(store: Store, { target }: Scenario, apply: () => boolean): Store {
  const overrides: Partial<Store> =
    target === 'empty'
      ? {
          listProjects: async (teamId) => (apply() ? { projects: [] } : store.listProjects(teamId)),
          listProjectNames: async (teamId) => (apply() ? { projects: [] } : store.listProjectNames(teamId)),
        }
      : {
          // The look-up misses the existing project, as it does for concurrent creations (4.1, rule 2).
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
  return new Proxy(store, { get: (_, method: keyof Store) => overrides[method] ?? store[method] })
}
