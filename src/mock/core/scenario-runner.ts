import type { OperationName } from '../../contract/operations.js'
import type { Api, Call } from '../../handlers/api.js'
import { type DocsUrl, type Reply, unreadableReply } from '../../handlers/reply.js'
import type { Store } from '../../store/store.js'
import { ControlError } from './control-error.js'
import { explain } from './explain.js'
import { type Fault, forcedReply, isFault, type Outcome, outcomeNamed } from './outcomes.js'
import type { Scenario, Scenarios } from './scenarios.js'

/** What becomes of a call, and which check, handler or scenario decided it. */
export type ScenarioResult = { why: string } & (
  | { reply: Reply; fault?: undefined }
  | { reply?: undefined; fault: Fault }
)

/** A call with what the stage goes by: the persona, the cookie as it may be told, and the Prefer header. */
export type ScenarioCall = { call: Call; session: string | undefined; cookie?: string; prefer: string | null }

export type ScenarioRunner = (name: OperationName, staged: ScenarioCall) => Promise<ScenarioResult>

type Options = {
  scenarios: Scenarios
  docsUrl: DocsUrl
  store: Store
  /** The pipeline over a store. */
  apiOver(store: Store): Api
}

/** The one place between adapter and pipeline: what is forced happens here, and everything else passes. */
export function createScenarioRunner({ scenarios, docsUrl, store, apiOver }: Options): ScenarioRunner {
  const api = apiOver(store)

  const force = async (name: OperationName, outcome: Outcome, why: string): Promise<ScenarioResult> =>
    isFault(outcome) ? { fault: outcome, why } : { reply: await forcedReply(name, outcome, docsUrl), why }

  const preferred = async (name: OperationName, wanted: string): Promise<ScenarioResult> => {
    try {
      return await force(name, outcomeNamed(name, wanted), `Prefer: code=${wanted}`)
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      return { reply: unreadableReply(400, error.message, docsUrl), why: 'Prefer: an impossible code' }
    }
  }

  return async (name, { call, session, cookie, prefer }) => {
    const wanted = preferredCode(prefer)
    if (wanted !== undefined) return preferred(name, wanted)

    const scenario = scenarios.find(name, session)
    if (scenario?.outcome && scenarios.use(scenario)) return force(name, scenario.outcome, named(scenario))

    let met = false
    const meet = () => {
      met = scenario !== undefined && scenarios.use(scenario)
      return met
    }
    const reply = await (scenario ? apiOver(withScenario(store, scenario, meet)) : api).call(name, call)
    return { reply, why: met && scenario ? named(scenario) : explain(reply, cookie) }
  }
}

/** The code of `Prefer: code=…` (RFC 7240), among other preferences or alone. */
const preferredCode = (prefer: string | null): string | undefined =>
  /(?:^|[,;])\s*code\s*=\s*"?([\w-]+)/i.exec(prefer ?? '')?.[1]

const named = ({ target, outcome, times }: Scenario): string =>
  `scenario ${target}${outcome ? ` ${outcome}` : ''}${times === undefined ? '' : `, ${times} left`}`

/** The store as a named scenario lets one call see it; `meet` says whether the scenario still holds. */
function withScenario(store: Store, { target }: Scenario, meet: () => boolean): Store {
  const layer: Partial<Store> =
    target === 'empty'
      ? { listProjects: async (teamId) => (meet() ? [] : store.listProjects(teamId)) }
      : {
          // The look-up of the creation misses the other project, as it does where both look at the same time.
          async projectNamed(teamId, key) {
            const taken = await store.projectNamed(teamId, key)
            return taken && meet() ? undefined : taken
          },
        }
  return new Proxy(store, { get: (_, method: keyof Store) => layer[method] ?? store[method] })
}
