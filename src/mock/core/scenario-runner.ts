import type { OperationName } from '../../contract/operations.js'
import type { Api, Call } from '../../handlers/api.js'
import { type Reply, unreadableReply } from '../../handlers/reply.js'
import type { Store } from '../../store/store.js'
import type { ChaosDraw } from './chaos.js'
import { ControlError } from './control-error.js'
import { explain } from './explain.js'
import { forcedText } from './forced-text.js'
import type { MockReply } from './mock-handler.js'
import { type Fault, forcedReply, isFault, type Outcome, outcomeNamed } from './outcomes.js'
import { ownReply } from './own-response.js'
import type { Scenario, Scenarios } from './scenarios.js'

/** The outcome of a call, and what decided it: a check, the handler, a scenario or chaos. */
export type ScenarioResult = { why: string } & (
  | { reply: Reply; own?: undefined; fault?: undefined }
  | { reply?: undefined; own: MockReply; fault?: undefined }
  | { reply?: undefined; own?: undefined; fault: Fault }
)

/**
 * A call, and what scenarios depend on: the persona, the cookie as it may be logged, the Prefer header, and what chaos
 * has drawn for it.
 */
export type ScenarioCall = {
  call: Call
  session: string | undefined
  cookie?: string
  prefer: string | null
  chaos?: ChaosDraw
}

export type ScenarioRunner = (name: OperationName, call: ScenarioCall) => Promise<ScenarioResult>

/** Applies the Prefer header, scenarios and chaos between the adapter and the pipeline. Other calls pass unchanged. */
export function createScenarioRunner(scenarios: Scenarios, api: Api): ScenarioRunner {
  const force = async (name: OperationName, outcome: Outcome, why: string): Promise<ScenarioResult> =>
    isFault(outcome) ? { fault: outcome, why } : { reply: await forcedReply(name, outcome), why }

  const forcePreferred = async (name: OperationName, code: string): Promise<ScenarioResult> => {
    try {
      return await force(name, outcomeNamed(name, code), `Prefer: code=${code}`)
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      return { reply: unreadableReply(400, error.message), why: 'Prefer: an impossible code' }
    }
  }

  return async (name, { call, session, cookie, prefer, chaos }) => {
    const code = preferredCode(prefer)
    if (code !== undefined) return forcePreferred(name, code)

    const scenario = scenarios.find(name, session)
    if (scenario?.outcome && scenarios.consume(scenario))
      return force(name, scenario.outcome, titleOf(scenario))
    if (scenario?.response && scenarios.consume(scenario))
      return { own: ownReply(scenario.response), why: titleOf(scenario) }
    if (chaos?.outcome) return force(name, chaos.outcome, chaos.why)

    let applied = false
    const apply = () => {
      applied = scenario !== undefined && scenarios.consume(scenario)
      return applied
    }
    const seen = scenario ? { ...call, store: withScenario(call.store, scenario, apply) } : call
    const reply = await api.call(name, seen)
    return { reply, why: applied && scenario ? titleOf(scenario) : explain(reply, cookie) }
  }
}

/** The code of `Prefer: code=…` (RFC 7240), alone or among other preferences. */
const preferredCode = (prefer: string | null): string | undefined =>
  /(?:^|[,;])\s*code\s*=\s*"?([\w-]+)/i.exec(prefer ?? '')?.[1]

function titleOf(scenario: Scenario): string {
  const { target, times } = scenario
  const forced = forcedText(scenario)
  return `scenario ${target}${forced ? ` ${forced}` : ''}${times === undefined ? '' : `, ${times} left`}`
}

/**
 * The store as one call sees it under a named scenario.
 * @param apply counts the scenario down; returns whether it still applies
 */
function withScenario(store: Store, { target }: Scenario, apply: () => boolean): Store {
  const overrides: Partial<Store> =
    target === 'empty'
      ? {
          listProjects: async (teamId) => (apply() ? [] : store.listProjects(teamId)),
          listProjectNames: async (teamId) => (apply() ? [] : store.listProjectNames(teamId)),
        }
      : {
          // The look-up misses the existing project, as it does for concurrent creations (4.1, rule 2).
          async projectNamed(teamId, key) {
            const taken = await store.projectNamed(teamId, key)
            return taken && apply() ? undefined : taken
          },
          async addProject(project, limits, newName) {
            const refusal = await store.addProject(project, limits, newName)
            return refusal === 'name' && apply() ? store.addProject(project, limits) : refusal
          },
        }
  return new Proxy(store, { get: (_, method: keyof Store) => overrides[method] ?? store[method] })
}
