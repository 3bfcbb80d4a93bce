import { HttpResponse } from 'msw'
import { errors } from '../../contract/errors.js'
import { type Reply, unreadableReply } from '../../handlers/reply.js'
import type { ChaosDraw } from './chaos.js'
import { ControlError } from './control-error.js'
import { type CustomResponse, customReply, statusReply } from './custom-response.js'
import { forcedText } from './forced-text.js'
import { type MockReply, toResponse } from './mock-handler.js'
import { type Fault, forcedReply, isFault, type Outcome, outcomeNamed } from './outcomes.js'
import type { Scenario, Scenarios } from './scenarios.js'
import { isOperation, type TargetName } from './target-name.js'

/** What was forced: an outcome, or a custom response. */
export type ForcedAnswer = { outcome: Outcome } | { response: CustomResponse }

/** What decided an outcome in place of a check or a handler. */
export type ForcedBy = 'Prefer' | 'scenario' | 'chaos'

/** The outcome of a request, and what decided it, in words too: a check, the handler, or what forced it. */
export type ScenarioResult = { why: string; forcedBy?: ForcedBy; forced?: ForcedAnswer } & (
  | { reply: Reply; own?: undefined; fault?: undefined }
  | { reply?: undefined; own: MockReply; fault?: undefined }
  | { reply?: undefined; own?: undefined; fault: Fault }
)

/** What is forced on a request depends on the persona, the Prefer header, and what chaos has drawn for it. */
type ForcingCall = { session: string | undefined; prefer: string | null; chaos?: ChaosDraw }

/**
 * Applies, in this order, the Prefer header, forced outcomes and custom responses, and chaos.
 * @returns what a request gets in place of its operation or handler; undefined if that one is to answer
 */
export function createForcing(scenarios: Scenarios) {
  return async (
    target: TargetName,
    { session, prefer, chaos }: ForcingCall,
  ): Promise<ScenarioResult | undefined> => {
    const code = preferredCode(prefer)
    if (code !== undefined) return forcePreferred(target, code)

    const scenario = scenarios.find(target, session)
    if (scenario?.outcome && scenarios.consume(scenario)) {
      return force(target, scenario.outcome, 'scenario', titleOf(scenario))
    }
    if (scenario?.response && scenarios.consume(scenario)) {
      const { response } = scenario
      const why = titleOf(scenario)
      return { own: customReply(response), why, forcedBy: 'scenario', forced: { response } }
    }
    return chaos?.outcome ? force(target, chaos.outcome, 'chaos', chaos.why) : undefined
  }
}

async function force(
  target: TargetName,
  outcome: Outcome,
  forcedBy: ForcedBy,
  why: string,
): Promise<ScenarioResult> {
  const decided = { why, forcedBy, forced: { outcome } }
  if (isFault(outcome)) return { ...decided, fault: outcome }
  if (typeof outcome === 'number') return { ...decided, own: statusReply(outcome) }
  if (isOperation(target)) return { ...decided, reply: await forcedReply(target, outcome) }
  return { ...decided, own: statusReply(errors[outcome].status) }
}

async function forcePreferred(target: TargetName, code: string): Promise<ScenarioResult> {
  try {
    // The header is sent again with the request.
    const result = await force(target, outcomeNamed(target, code), 'Prefer', `Prefer: code=${code}`)
    return { ...result, forced: undefined }
  } catch (error) {
    if (!(error instanceof ControlError)) throw error
    const decided = { why: 'Prefer: an impossible code', forcedBy: 'Prefer' } as const
    if (!isOperation(target))
      return { ...decided, own: customReply({ status: 400, body: { error: error.message } }) }
    return { ...decided, reply: unreadableReply(400, error.message) }
  }
}

/** The response that is forced where there is no operation. */
export const forcedResponse = ({ own, fault }: ScenarioResult, method: string): Response =>
  fault || !own ? HttpResponse.error() : toResponse(own, method)

/** The code of `Prefer: code=…` (RFC 7240), alone or among other preferences. */
export const preferredCode = (prefer: string | null): string | undefined =>
  /(?:^|[,;])\s*code\s*=\s*"?([\w-]+)/i.exec(prefer ?? '')?.[1]

/** The scenario in the log. */
export function titleOf(scenario: Scenario): string {
  const { target, times } = scenario
  const forced = forcedText(scenario)
  return `scenario ${target}${forced ? ` ${forced}` : ''}${times === undefined ? '' : `, ${times} left`}`
}
