import { maxBodyBytes } from '../../contract/limits.js'
import { type Route, route } from '../../contract/route.js'
import { withoutQuery } from '../../contract/without-query.js'
import type { Api } from '../../handlers/api.js'
import { operationalReply, unreadableReply } from '../../handlers/reply.js'
import type { Tracker } from '../state/mock-state.js'
import type { MockCaller } from '../state/personas.js'
import { hang } from './delays.js'
import { type Answer, preferredCode } from './forcing.js'
import type { MockParts } from './mock-parts.js'
import type { Answered, MockReply } from './mock-reply.js'
import { runOperation, toAnswer } from './run-operation.js'
import { type FetchArguments, isBodiless, noBytes, type SentRequest, sentCookies } from './sent-request.js'
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
  /** Records what the request changes. */
  tracker?: Tracker
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

/**
 * A handler of the user lets the request through: MSW gets its response. A server goes on as without the user's handlers: it
 * has no other one to leave the request to.
 */
type PassedThrough = { passed: Answered }

/** A request, with the entry of the log that its candidates share. */
type OnItsWay = { sent: SentRequest; begun: Begun }

/** The answer of a candidate, or undefined if it leaves the request to the next one. */
type Run = (
  caller: MockCaller,
  tracker: Tracker,
  isBeforeReset: boolean,
) => Promise<Answer | PassedThrough | undefined>

/** What may answer a request: a target, or a page of the site. */
type Candidate =
  | {
      place: Target
      run: Run
      /** The header Prefer, if it applies. */
      prefer?: string
      /** The path for the log, if not that of the URL. */
      path?: string
    }
  | { page(sent: SentRequest): Promise<MockReply> }

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
    url.startsWith(`${baseUrl}/`) ? withoutQuery(url.slice(baseUrl.length)) : undefined

  /** The outcome that is forced on exactly the path of a request. It precedes handlers whose pattern may match other paths. */
  const forcedExactly = (sent: SentRequest): Candidate[] => {
    if (preferredCode(sent) !== undefined || scenarios.forced().length === 0) return []
    const exact = exactTarget(sent, origins)
    const isForced = scenarios.isForced(exact) && targets.find(exact)?.kind === 'unanswered'
    return isForced ? [{ place: splitTarget(exact), run: leave }] : []
  }

  const runHandler =
    (
      { handler }: UserHandler,
      given: FetchArguments,
      sent: SentRequest,
      failure: { error: unknown } | undefined,
    ): Run =>
    async () => {
      try {
        if (failure) throw failure.error
        const call = () => handler.run(given)
        const running = sent.calls ? sent.calls.call(handler, call) : call()
        const result = await Promise.race([running, givenUp(sent.signal)])
        if (!result && sent.signal.aborted) return gaveUp
        if (!result?.response) return undefined
        const { request, response, parsedResult } = result
        const answered = { response, by: { handler, request, parsedResult } }
        return isPassthrough(response) ? { passed: answered } : { ...answered, why: 'handler' }
      } catch (error) {
        return threw(error, sent)
      }
    }

  /** The handlers of the user that match a request, after an outcome that is forced on exactly its path. */
  async function* ofHandlers(sent: SentRequest): AsyncGenerator<Candidate> {
    const prefer = preferredCode(sent)
    let exact = handlers().length > 0 ? forcedExactly(sent) : []
    for (const user of handlers()) {
      const { handler, place, mayTake } = user
      if (!mayTake(sent.method) || sent.calls?.skips(handler)) continue
      const given = sent.toFetch()
      const isTaken = await handler.test(given).catch((error: unknown) => ({ error }))
      if (!isTaken) continue
      // All operations of GraphQL have one path.
      if (!/^[a-z]/.test(place.method)) {
        yield* exact
        exact = []
      }
      const failure = isTaken === true ? undefined : isTaken
      yield { place, prefer, run: runHandler(user, given, sent, failure) }
    }
  }

  /** Everything that may answer a request after the handlers of the user, in its order. */
  async function* ofMock(sent: SentRequest): AsyncGenerator<Candidate> {
    const path = pathOf(sent)
    const { operation, params, allow } = path === undefined ? nowhere : route(sent.method, path)
    if (operation) {
      yield* forcedExactly(sent)
      const body = isBodiless(sent.method) ? noBytes : await sent.bytes(maxBodyBytes)
      const request = { operation, params, sent, body }
      const run: Run = (...given) => runOperation(parts, api, request, ...given)
      yield { place: targets.find(operation) as Target, run, prefer: preferredCode(sent), path }
      return
    }
    const page = path === undefined ? undefined : findPage(sent.method, path)
    if (page) yield { page }
    for (const place of await unhandledTargets.forcedOn(sent)) yield { place, run: leave }
    if (!path?.startsWith('/v1/') || (passesUnknown && allow.length === 0)) return
    const unknown: Run = async () => toAnswer(parts, api.unknown(sent.method, path), sent)
    yield { place: await unhandledTargets.placeOf(sent), run: unknown }
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

  /** @returns the answer of a candidate; `passed` by a handler of a server; undefined if the next candidate is to answer */
  const answerBy = async (way: OnItsWay, candidate: Candidate): Promise<Answered | 'passed' | undefined> => {
    const { sent, begun } = way
    if ('page' in candidate) return { reply: await candidate.page(sent) }
    const { place, run, prefer, path } = candidate
    const { target } = place
    const mayForce = prefer !== undefined || chaos.has(target) || scenarios.isForced(target)
    // Drawn before the delay, so that delays do not change the order.
    const drawn = chaos.draw(target, sent)
    const delay = drawn?.delay ?? delays.draw(target)
    // Several handlers may take a request; it is delayed once.
    const waits = delay > 0 && !begun.isDelayed && !sent.replay
    begun.isDelayed ||= waits || drawn?.delay !== undefined
    const isLimited = scenarios.isLimited(target) && !sent.replay
    if (waits) await parts.waits.delay(delay, sent.signal)
    if (isLimited) await sent.noticeAbort?.()
    const isAborted = (waits || isLimited) && sent.signal.aborted
    const caller = callerOf(sent)
    // Outcomes that were forced after a reset do not apply to earlier requests.
    const isBeforeReset = writer.isBeforeReset(begun)
    const tracker = parts.state.track(target, isBeforeReset)
    const missed = isAborted && !isBeforeReset ? scenarios.find(target, caller.persona) : undefined
    if (missed) scenarios.countAborted(missed)
    const forced = isAborted
      ? gaveUp
      : mayForce && !isBeforeReset
        ? await forcing({ sent, place, prefer, tracker }, caller, drawn)
        : undefined
    const decided = forced ?? (await run(caller, tracker, isBeforeReset))
    if (!decided) return undefined
    const isPassed = 'passed' in decided
    if (isPassed && parts.isServer) return 'passed'
    const answer = isPassed ? { why: 'passthrough' } : decided
    const answered = await writer.write(begun, { sent, place, path, tracker }, answer, caller)
    if (isPassed) return decided.passed
    if (decided.thrown) throw decided.thrown.error
    if (decided.fault === 'hang' && !sent.replay) await hang(parts.waits, sent.signal)
    return answered
  }

  const answer: AnswerRequest = async (sent) => {
    const way: OnItsWay = { sent, begun: writer.begin() }
    for (const candidates of [ofHandlers(sent), ofMock(sent)]) {
      for await (const candidate of candidates) {
        const answered = await answerBy(way, candidate)
        // A server goes on as without the user's handlers.
        if (answered === 'passed') break
        if (answered) return answered
      }
    }
    return undefined
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

/** The route of a request to another origin. */
const nowhere: Route = { allow: [] }

const leave: Run = async () => undefined

const gaveUp: Answer = { why: 'the client gave up', fault: 'drop', isAborted: true }

/** A handler may wait forever, as with `delay('infinite')`. */
const givenUp = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
