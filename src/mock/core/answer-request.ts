import { HttpResponse } from 'msw'
import { operationalReply } from '../../handlers/reply.js'
import { abortableDelay, hang } from './delays.js'
import type { Answer, Forceable } from './forcing.js'
import type { LoggedRequest } from './log-writer.js'
import type { MockParts } from './mock-parts.js'
import type { Caller } from './personas.js'
import { bodyOf, isSentByMock, keepAsSent, sentCookies } from './sent-request.js'
import { exactTarget, splitTarget, type TargetPlace } from './target-name.js'

/** A request that reaches a target: an operation, a handler of one's own, or what nobody answers. */
export type TargetRequest = Forceable & LoggedRequest & { caller(): Caller }

/** A request to a handler of one's own, or to none. */
export function requestTo(
  place: TargetPlace,
  request: Request,
  { personas, jar }: Pick<MockParts, 'personas' | 'jar'>,
): TargetRequest {
  keepAsSent(request)
  const prefer = request.headers.get('prefer')
  const caller = () => {
    const { cookies, marker } = sentCookies(request, jar)
    return personas.findCaller(cookies, marker)
  }
  return { request, place, prefer, caller, body: () => bodyOf(request) }
}

/** Whether a target takes a request; asked only if something is set for it, since `Run` finds out too. */
type Takes = () => Promise<boolean>
/** How a target answers; undefined if it leaves the request to others. */
type Run = (caller: Caller, isOver: boolean) => Promise<Answer | undefined>

/** Answers a request. @returns undefined if its target leaves it to others */
export type AnswerRequest = ReturnType<typeof createAnswerRequest>

/** What every request goes through: delay, what is forced or drawn by chaos, its handler, and the log. */
export function createAnswerRequest(parts: MockParts) {
  const { forcing, scenarios, targets, origins, chaos, delays, writer, isServed, writeReply, onError } = parts
  /** What a request gets whose handler threw: MSW itself answers 500, but where it does not, the mock does. */
  const threw = (error: unknown, request: Request): Answer => {
    if (isServed) onError(error)
    const thrown = isServed ? undefined : { error }
    const why = `the handler threw: ${error}`
    if (request.signal.aborted) return { why, response: HttpResponse.error(), thrown }
    const message = 'A handler threw; see the output of the mock.'
    const reply = { ...operationalReply('INTERNAL_ERROR'), message }
    return {
      why,
      response: isServed ? writeReply(reply, request) : new HttpResponse(null, { status: 500 }),
      thrown,
    }
  }

  const answer = async (given: TargetRequest, run: Run, takes?: Takes): Promise<Response | undefined> => {
    const { request, prefer } = given
    const { target } = given.place
    const begun = writer.begin(request)
    const mayForce = prefer !== null || chaos.has(target) || scenarios.isForced(target)
    const isSet = mayForce || delays.has(target)
    if (isSet && takes && !(await takes())) return undefined
    // Drawn as the request arrives: delays do not change the order.
    const drawn = chaos.draw(target, request)
    const delay = drawn?.delay ?? delays.draw(target)
    // A request is delayed once, although several handlers may take it.
    const waits = delay > 0 && !begun.isDelayed && !isSentByMock(request)
    begun.isDelayed ||= waits || drawn?.delay !== undefined
    const isAborted = waits && (await abortableDelay(delay, request.signal))
    const caller = given.caller()
    // What is set since a reset is not for a request from before it.
    const isOver = writer.isOver(begun)
    const isForced = mayForce && !isOver
    const forced = isAborted ? gaveUp() : isForced ? await forcing(given, caller, drawn) : undefined
    const decided = forced ?? (await run(caller, isOver).catch((error) => threw(error, request)))
    if (!decided) {
      writer.leave(request, begun)
      return undefined
    }
    const sent = await writer.write(begun, given, decided, caller)
    if (decided.thrown) throw decided.thrown.error
    if (decided.fault === 'hang') await hang(request)
    return sent
  }

  return async (given: TargetRequest, run: Run, takes?: Takes): Promise<Response | undefined> => {
    const { place, request, prefer } = given
    // What is forced on the very path precedes an operation or a handler of many paths. All of GraphQL have one path.
    const mayPrecede = place.kind !== 'unanswered' && prefer === null && /^[A-Z]/.test(place.method)
    const exact = mayPrecede && scenarios.forced().length > 0 ? exactTarget(request, origins) : undefined
    const isForced = exact && scenarios.isForced(exact) && targets.find(exact)?.kind === 'unanswered'
    const forced = isForced ? await answer({ ...given, place: splitTarget(exact) }, leave, takes) : undefined
    return forced ?? answer(given, run, takes)
  }
}

const leave = async () => undefined

const gaveUp = (): Answer => ({ why: 'the client gave up', fault: 'drop', response: HttpResponse.error() })
