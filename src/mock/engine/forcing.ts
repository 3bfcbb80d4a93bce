import { errors } from '../../contract/errors.js'
import { unreadableReply } from '../../handlers/reply.js'
import { ControlError } from '../state/control-error.js'
import { limitText } from '../state/limit-words.js'
import type { MockCaller } from '../state/personas.js'
import type { ChaosDraw } from './chaos.js'
import { type CustomResponse, customReply, statusReply } from './custom-response.js'
import { forcedText } from './forced-text.js'
import type { HandlerResult, MockReply } from './mock-reply.js'
import { type Fault, forcedReply, isFault, type Outcome, outcomeNamed } from './outcomes.js'
import type { ReplyWriter } from './reply-writer.js'
import type { ListedScenario, Scenario, Scenarios } from './scenarios.js'
import type { SentRequest } from './sent-request.js'
import { isOperation, type Target } from './target-name.js'

export type ForcedAnswer = { outcome: Outcome } | { response: CustomResponse }

/** The source of a forced outcome. */
export type ForcedBy = 'Prefer' | 'scenario' | 'chaos'

/** A request to a target. */
export type Forceable = {
  sent: SentRequest
  place: Target
  /** The code of the header Prefer, if it applies. */
  prefer: string | undefined
  /** Records that a forced outcome is used. */
  tracker: Recorder
}

type Recorder = { record<Result>(change: () => Result, cause: { used?: Scenario }): Result }

/** The answer to a request, with its explanation. */
export type Answer = {
  reply?: MockReply
  /** The response of a user's handler, in place of a reply. */
  response?: Response
  by?: HandlerResult
  why: string
  /** The error code of the response. */
  code?: string
  forcedBy?: ForcedBy
  forced?: ForcedAnswer
  /** Replaces reply and response. */
  fault?: Fault
  /** The scenario that the answer uses. It gets the use back if the client aborts the request. */
  used?: Scenario
  /** Whether the client aborted the request before it was answered. */
  isAborted?: boolean
  /** The error that the handler threw. */
  thrown?: { error: unknown }
}

/**
 * Applies, in this order, the Prefer header, forced outcomes and custom responses, and chaos.
 * @returns the forced answer; undefined if the operation or handler is to answer
 */
export function createForcing(scenarios: Scenarios, writeReply: ReplyWriter) {
  async function force(
    { sent, place }: Forceable,
    outcome: Outcome,
    forcedBy: ForcedBy,
    why: string,
  ): Promise<Answer> {
    const { target } = place
    const decided = { why, forcedBy, forced: { outcome } }
    if (isFault(outcome)) return { ...decided, fault: outcome }
    if (typeof outcome === 'number' || !isOperation(target)) {
      const status = typeof outcome === 'number' ? outcome : errors[outcome].status
      return { ...decided, reply: statusReply(status) }
    }
    return { ...decided, code: outcome, reply: writeReply(await forcedReply(target, outcome), sent) }
  }

  async function forcePreferred(given: Forceable, code: string): Promise<Answer> {
    const { sent, place } = given
    try {
      const outcome = outcomeNamed(place.target, code)
      // Sending the request again repeats the header.
      return { ...(await force(given, outcome, 'Prefer', `Prefer: code=${code}`)), forced: undefined }
    } catch (error) {
      if (!(error instanceof ControlError)) throw error
      const reply = unreadableReply(400, error.message)
      const why = 'Prefer: an impossible code'
      return { why, forcedBy: 'Prefer', code: reply.code, reply: writeReply(reply, sent) }
    }
  }

  return async (
    given: Forceable,
    { persona }: MockCaller,
    chaos?: ChaosDraw,
  ): Promise<Answer | undefined> => {
    const { place, prefer, tracker } = given
    if (prefer !== undefined) return forcePreferred(given, prefer)

    const scenario = scenarios.find(place.target, persona)
    const isForced = scenario?.outcome !== undefined || scenario?.response !== undefined
    const used = isForced ? tracker.record(() => scenarios.consume(scenario), { used: scenario }) : undefined
    if (used?.outcome) return { ...(await force(given, used.outcome, 'scenario', titleOf(used))), used }
    if (used?.response) {
      const { response } = used
      const forced = { response }
      return { reply: customReply(response), why: titleOf(used), forcedBy: 'scenario', forced, used }
    }
    return chaos?.outcome ? force(given, chaos.outcome, 'chaos', chaos.why) : undefined
  }
}

/** The code of `Prefer: code=…` (RFC 7240), alone or among other preferences, which do not concern the mock. */
export const preferredCode = ({ headers }: SentRequest): string | undefined =>
  /(?:^|[,;])\s*code\s*=\s*"?([\w-]+)/i.exec(headers.prefer ?? '')?.[1]

/**
 * E.g. `scenario createProject PROJECT_NAME_TAKEN, next request`, as the scenario was shown before this use.
 * @param used the scenario with the uses that are left
 */
export function titleOf(used: ListedScenario): string {
  const { target, times, aborted } = used
  const forced = forcedText(used)
  const limit =
    times === undefined
      ? ''
      : `, ${limitText({ times: times + 1 })}${aborted ? ` (${times} left, ${aborted} aborted)` : ''}`
  return `scenario ${target}${forced ? ` ${forced}` : ''}${limit}`
}
