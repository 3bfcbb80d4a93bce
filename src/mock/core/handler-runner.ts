import { HttpResponse, type RequestHandler } from 'msw'
import { abortableDelay, hang } from './delays.js'
import { forcedResponse, type ScenarioResult } from './forcing.js'
import type { MockParts } from './mock-parts.js'
import { bodyOf, keepAsSent, sentCookies } from './sent-request.js'
import type { TargetPlace } from './target-name.js'
import type { RunArguments, RunHandler, RunResult } from './wrapped-handler.js'

/**
 * Runs handlers of one's own with forced outcomes, chaos, delay and the log.
 * @param onThrow reports what a handler threw, and makes the response; by default the error is that of the request
 */
export function createHandlerRunner(
  { forcing, scenarios, chaos, delays, personas, jar, writer, isServed }: MockParts,
  onThrow?: (error: unknown, request: Request) => Response,
): RunHandler {
  const callerOf = (request: Request) => {
    const { cookies, marker } = sentCookies(request, jar)
    return personas.resolveCaller(cookies, marker)
  }

  /** Unless something may be forced on a request, its handler is not asked twice. */
  const mayForce = ({ target }: TargetPlace, { headers }: Request) =>
    chaos.has(target) || headers.has('prefer') || scenarios.isForced(target)

  /** Decides before the handler runs. */
  const decide = async (inner: Pick<RequestHandler, 'test'>, { target }: TargetPlace, args: RunArguments) => {
    const { request } = args
    const prefer = request.headers.get('prefer')
    if (!(await inner.test(args))) return undefined
    const drawn = chaos.draw(target)
    const caller = await callerOf(request)
    const forced = await forcing(target, { session: caller.session?.id, prefer, chaos: drawn })
    return { forced, delay: drawn?.delay }
  }

  // Nothing waits for what is known: where Node tracks contexts, as for MSW, a promise costs as much as the work itself.
  return async (wrapped, handler, args) => {
    const { inner, place } = wrapped
    const { request, requestId } = args
    const begun = writer.begin()
    keepAsSent(request)
    const decided = mayForce(place, request) ? await decide(inner, place, args) : undefined
    const wait = () => {
      const ms = decided?.delay ?? delays.draw(place.target)
      return ms > 0 ? abortableDelay(ms, request.signal) : undefined
    }
    const log = (why: string, response: Response, { forcedBy, forced }: Partial<ScenarioResult> = {}) => {
      const decided = { why, forcedBy, forced }
      const answered = { request, place, caller: callerOf(request), body: bodyOf(request), ...decided }
      return writer.writeResponse(begun, answered, response)
    }

    const forced = decided?.forced
    if (forced) {
      const response = (await wait())
        ? await log('the client gave up', HttpResponse.error())
        : await log(forced.why, forcedResponse(forced, request.method), forced)
      if (forced.fault === 'hang') await hang(request)
      return { handler, request, requestId, response }
    }
    let result: Awaited<RunResult>
    try {
      result = await inner.run(args)
    } catch (error) {
      const failure = onThrow?.(error, request)
      // MSW itself answers 500 then.
      const response = failure ?? new HttpResponse(null, { status: 500 })
      const sent = await log(
        `the handler threw: ${error}`,
        request.signal.aborted ? HttpResponse.error() : response,
      )
      if (!failure) throw error
      return { handler, request, requestId, response: sent }
    } finally {
      wrapped.isUsed = inner.isUsed
    }
    if (!result?.response) return result
    // Of a server, the mock itself logs it then.
    const isPassed = isPassthrough(result.response)
    if (isPassed && isServed) return result
    const delay = wait()
    const isAborted = delay !== undefined && (await delay)
    if (isAborted) await log('the client gave up', HttpResponse.error())
    else if (isPassed) await log('passthrough', HttpResponse.error())
    else result.response = await log('handler', result.response)
    return result
  }
}

/** What `passthrough()` of MSW returns. */
export const isPassthrough = ({ headers }: Response): boolean =>
  headers.get('x-msw-intention') === 'passthrough'
