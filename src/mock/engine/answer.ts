import { maxBodyBytes } from '../../contract/operations.js'
import { route } from '../../contract/route.js'
import type { Api } from '../../handlers/api.js'
import { operationalReply, unreadableReply } from '../../handlers/reply.js'
import type { MockCaller } from '../state/personas.js'
import { hang } from './delays.js'
import { type Answer, preferredCode } from './forcing.js'
import type { MockParts } from './mock-parts.js'
import type { Answered } from './mock-reply.js'
import { runOperation, toAnswer } from './run-operation.js'
import { isBodiless, noBytes, type SentRequest, sentCookies } from './sent-request.js'
import type { SitePages } from './site-resolvers.js'
import { exactTarget, splitTarget, type Target } from './target-name.js'
import { thrownText } from './thrown-text.js'
import type { UnhandledTargets } from './unanswered.js'
import { isPassthrough, type UserHandler } from './user-handlers.js'

/** The beginning of a request, for its entry. */
export type Begun = {
  startedAt: number
  generation: number
  clears: number
  before: number
  isDelayed?: boolean
}

export type LoggedRequest = {
  sent: SentRequest
  place: Target
  /** Default: the path of the URL with its query, without one of the mock's origins. */
  path?: string
}

/** Writes the log. */
export type Writer = {
  begin(): Begun
  /** Whether a request began before the last reset, so that it must not affect the state. */
  isBeforeReset(begun: Begun): boolean
  /** Adds an entry. @returns the answer to send, once the listeners of requests are done */
  write(begun: Begun, request: LoggedRequest, answer: Answer, caller?: MockCaller): Promise<Answered>
}

type AnswerParts = {
  parts: MockParts
  writer: Writer
  api: Api
  handlers(): readonly UserHandler[]
  findPage: SitePages
  unhandledTargets: UnhandledTargets
  /** Whether unknown paths below /v1/ are left to others. */
  passesUnknown: boolean
}

/** The answer of a target, or undefined if it leaves the request to others. */
type Run = (caller: MockCaller, isBeforeReset: boolean) => Promise<Answer | undefined>

/** A request, with the delay and the entry of the log that its targets share. */
type OnItsWay = { sent: SentRequest; begun: Begun }

/**
 * Answers a request by a user's handler, an operation or a forced outcome, after the delay, and logs it. A page of the site is
 * neither delayed nor logged.
 * @returns undefined for a request that is left to others
 */
export type AnswerRequest = (sent: SentRequest) => Promise<Answered | undefined>

export function createAnswer({
  parts,
  writer,
  api,
  handlers,
  findPage,
  unhandledTargets,
  passesUnknown,
}: AnswerParts) {
  const { baseUrl, forcing, scenarios, targets, origins, chaos, delays, personas, jar } = parts
  const callerOf = (sent: SentRequest): MockCaller => {
    const { cookies, marker } = sentCookies(sent, jar)
    return personas.findCaller(cookies, marker)
  }

  const pathOf = ({ url }: SentRequest): string | undefined =>
    url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length).replace(/[?#].*$/s, '') : undefined

  /** Answers a request at a target. @param path the path for the log, if not that of the URL */
  const answerAt = async (
    { sent, begun }: OnItsWay,
    place: Target,
    run: Run,
    { prefer, path }: { prefer?: string; path?: string } = {},
  ) => {
    const { target } = place
    const mayForce = prefer !== undefined || chaos.has(target) || scenarios.isForced(target)
    // Drawn before the delay, so that delays do not change the order.
    const drawn = chaos.draw(target, sent)
    const delay = drawn?.delay ?? delays.draw(target)
    // Several handlers may take a request; it is delayed once.
    const waits = delay > 0 && !begun.isDelayed && !sent.replay
    begun.isDelayed ||= waits || drawn?.delay !== undefined
    const isAborted = waits && (await parts.waits.delay(delay, sent.signal))
    const caller = callerOf(sent)
    // Outcomes that were forced after a reset do not apply to earlier requests.
    const isBeforeReset = writer.isBeforeReset(begun)
    let decided: Answer | undefined = isAborted ? gaveUp : undefined
    if (!decided && mayForce && !isBeforeReset)
      decided = await forcing({ sent, place, prefer }, caller, drawn)
    decided ??= await run(caller, isBeforeReset)
    if (!decided) return undefined
    const answered = await writer.write(begun, { sent, place, path }, decided, caller)
    if (decided.thrown) throw decided.thrown.error
    if (decided.fault === 'hang' && !sent.replay) await hang(parts.waits, sent.signal)
    return answered
  }

  /**
   * Answers by an outcome that was forced on exactly this path, if there is one. Called before operations, and before handlers
   * whose pattern may match other paths too.
   */
  const forcedExactly = async (way: OnItsWay): Promise<Answered | undefined> => {
    if (scenarios.forced().length === 0) return undefined
    const exact = exactTarget(way.sent, origins)
    const isForced = scenarios.isForced(exact) && targets.find(exact)?.kind === 'unanswered'
    return isForced ? answerAt(way, splitTarget(exact), leave) : undefined
  }

  const forcedElsewhere = async (way: OnItsWay): Promise<Answered | undefined> => {
    // An outcome that is forced for one persona leaves other callers to the next target.
    for (const place of await unhandledTargets.forcedOn(way.sent)) {
      const answered = await answerAt(way, place, leave)
      if (answered) return answered
    }
    return undefined
  }

  const answerByHandlers = async (way: OnItsWay, prefer: string | undefined) => {
    const { sent } = way
    let isExactTried = prefer !== undefined
    for (const { handler, place, mayTake } of handlers()) {
      if (!mayTake(sent.method) || sent.calls?.skips(handler)) continue
      const given = sent.toFetch()
      const isTaken = await handler.test(given).catch((error: unknown) => ({ error }))
      if (!isTaken) continue
      // All operations of GraphQL have one path.
      const exact = isExactTried || /^[a-z]/.test(place.method) ? undefined : await forcedExactly(way)
      if (exact) return exact
      isExactTried ||= !/^[a-z]/.test(place.method)
      let passed: Answered | undefined
      const run: Run = async () => {
        try {
          if (isTaken !== true) throw isTaken.error
          const call = () => handler.run(given)
          const running = sent.calls ? sent.calls.call(handler, call) : call()
          const result = await Promise.race([running, givenUp(sent.signal)])
          if (!result && sent.signal.aborted) return gaveUp
          if (!result?.response) return undefined
          const { request, response, parsedResult } = result
          const answer = { response, by: { handler, request, parsedResult } }
          if (!isPassthrough(response)) return { ...answer, why: 'handler' }
          passed = answer
          // In server mode the mock goes on as without the handler.
          return parts.isServer ? undefined : { why: 'passthrough' }
        } catch (error) {
          return threw(error, sent)
        }
      }
      const answered = await answerAt(way, place, run, { prefer })
      if (passed) return parts.isServer ? undefined : passed
      if (answered) return answered
    }
    return undefined
  }

  /** The answer for an error that a handler threw. If the mock is not a server, MSW gets it and answers with 500. */
  const threw = (error: unknown, sent: SentRequest): Answer => {
    const { isServer, onError, writeReply } = parts
    const fault = sent.fault?.()
    if (fault) {
      const reply = unreadableReply(fault.status, fault.message)
      return { why: fault.message, code: reply.code, reply: writeReply(reply, sent) }
    }
    if (isServer) onError(error)
    const why = `the handler threw: ${thrownText(error)}`
    const thrown = isServer ? undefined : { error }
    if (sent.signal.aborted) return { why, thrown }
    const reply = operationalReply('INTERNAL_ERROR')
    return { why, code: reply.code, reply: writeReply(reply, sent), thrown }
  }

  const answer: AnswerRequest = async (sent) => {
    const way = { sent, begun: writer.begin() }
    const prefer = preferredCode(sent)
    if (handlers().length > 0) {
      const answered = await answerByHandlers(way, prefer)
      if (answered) return answered
    }
    const path = pathOf(sent)
    if (path === undefined) return forcedElsewhere(way)
    const { operation, params, allow } = route(sent.method, path)
    if (operation) {
      const exact = prefer === undefined ? await forcedExactly(way) : undefined
      if (exact) return exact
      const body = isBodiless(sent.method) ? noBytes : await sent.bytes(maxBodyBytes)
      const place = targets.find(operation) as Target
      const request = { operation, params, sent, body }
      const run: Run = (caller, isBeforeReset) => runOperation(parts, api, request, caller, isBeforeReset)
      return answerAt(way, place, run, { prefer, path })
    }
    const page = findPage(sent.method, path)
    if (page) return { reply: await page(sent) }
    const forced = await forcedElsewhere(way)
    if (forced || !path.startsWith('/v1/') || (passesUnknown && allow.length === 0)) return forced
    const place = await unhandledTargets.placeOf(sent)
    return answerAt(way, place, async () => toAnswer(parts, api.unknown(sent.method, path), sent))
  }

  return {
    answer,
    /** Whether the mock may answer a request, so that it has to check the sender. */
    async takes(sent: SentRequest): Promise<boolean> {
      for (const { handler, mayTake } of handlers()) {
        if (
          mayTake(sent.method) &&
          !sent.calls?.skips(handler) &&
          (await handler.test(sent.toFetch()).catch(() => true))
        )
          return true
      }
      const path = pathOf(sent)
      if (path === undefined) return false
      const { operation, allow } = route(sent.method, path)
      if (operation || findPage(sent.method, path)) return true
      if (path.startsWith('/v1/') && (!passesUnknown || allow.length > 0)) return true
      return (await unhandledTargets.forcedOn(sent)).length > 0
    },
  }
}

const leave: Run = async () => undefined

const gaveUp: Answer = { why: 'the client gave up', fault: 'drop' }

/** A handler may wait forever, as with `delay('infinite')`. */
const givenUp = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
