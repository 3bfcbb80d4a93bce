import { type Operation, type OperationName, operations } from '../../contract/operations.js'
import { queryOf } from '../../contract/route.js'
import { type Api, failedReply } from '../../handlers/api.js'
import type { Reply } from '../../handlers/reply.js'
import type { Tracker } from '../state/mock-state.js'
import type { MockCaller } from '../state/personas.js'
import { explain } from './explain.js'
import { type Answer, titleOf } from './forcing.js'
import type { MockParts } from './mock-parts.js'
import { withScenario } from './named-scenarios.js'
import type { Scenario } from './scenarios.js'
import { isBodiless, type SentRequest } from './sent-request.js'
import { twoSites } from './two-sites.js'

export type OperationRequest = {
  operation: OperationName
  params: Record<string, string>
  sent: SentRequest
  /** Undefined if it is too long for the interface. */
  body: Uint8Array | undefined
}

/** The answer with a reply of the pipeline, and its explanation. */
export const toAnswer = (
  { writeReply }: Pick<MockParts, 'writeReply'>,
  reply: Reply,
  sent: SentRequest,
  { absence, isShared }: Pick<MockCaller, 'absence'> & { isShared?: boolean } = {},
): Answer => ({
  code: reply.code,
  why: explain(
    reply,
    absence,
    reply.code === 'AUTH_REQUIRED' ? twoSites(sent.headers, schemeOf(sent)) : undefined,
  ),
  reply: writeReply(reply, sent, isShared),
})

const schemeOf = ({ url }: SentRequest): string => url.slice(0, url.indexOf(':'))

/** Runs an operation, under a named scenario if one applies to the caller. */
export async function runOperation(
  parts: MockParts,
  api: Api,
  { operation, params, sent, body }: OperationRequest,
  caller: MockCaller,
  tracker: Tracker,
  isBeforeReset: boolean,
): Promise<Answer> {
  const { scenarios, personas } = parts
  const tracked = await tracker.open()
  const store = isBodiless(sent.method) ? tracked.store : tracked.recordingStore()
  const scenario = isBeforeReset ? undefined : scenarios.find(operation, caller.persona)
  let applied: Scenario | undefined
  const apply = () => {
    const use = () => scenario && scenarios.consume(scenario)
    applied = tracker.record(use, { used: scenario })
    return applied !== undefined
  }
  const call = {
    contentType: sent.headers['content-type'],
    body: body ?? null,
    params,
    query: () => queryOf(sent.url),
    store: scenario ? withScenario(store, scenario, apply) : store,
  }
  let reply: Reply
  try {
    reply = await api.call(operation, call, await personas.sessionOf(caller))
  } catch (error) {
    parts.onError(error)
    reply = failedReply(error)
  }
  const isShared = (operations[operation] as Operation).cache === 'team'
  return {
    ...toAnswer(parts, reply, sent, { absence: caller.absence, isShared }),
    ...(applied && { why: titleOf(applied), forcedBy: 'scenario', used: applied }),
  }
}
