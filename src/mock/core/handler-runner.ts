import { HttpResponse, type RequestHandler } from 'msw'
import type { Chaos } from './chaos.js'
import { abortableDelay, type Delays, hang } from './delays.js'
import { type Forcing, forcedResponse, type ScenarioResult } from './forcing.js'
import type { LogWriter } from './log-writer.js'
import type { Personas } from './personas.js'
import type { Scenarios } from './scenarios.js'
import type { CookieJar } from './sent-request.js'
import { bodyOf, keepAsSent, sentCookies } from './sent-request.js'
import type { TargetPlace } from './target-name.js'
import type { RunArguments, RunHandler } from './wrapped-handler.js'

type Options = {
  forcing: Forcing
  scenarios: Scenarios
  chaos: Chaos
  delays: Delays
  personas: Personas
  jar: CookieJar
  writer: LogWriter
  /** Whether `passthrough()` leaves a request to the mock, which logs it then. */
  passesToMock: boolean
}

/** Runs handlers of one's own with forced outcomes, chaos, delay and the log. */
export function createHandlerRunner(options: Options): RunHandler {
  const { forcing, scenarios, chaos, delays, personas, jar, writer, passesToMock } = options
  const callerOf = (request: Request) => {
    const { cookies, marker } = sentCookies(request, jar)
    return personas.resolveCaller(cookies, marker)
  }

  /** Unless something may be forced on a request, its handler is not asked twice. */
  const mayForce = ({ target }: TargetPlace, { headers }: Request) =>
    chaos.has(target) || headers.has('prefer') || scenarios.isForced(target)

  /** Decides before the handler runs. */
  const decide = async (inner: RequestHandler, { target }: TargetPlace, args: RunArguments) => {
    const { request } = args
    const prefer = request.headers.get('prefer')
    if (!(await inner.test(args))) return undefined
    const drawn = chaos.draw(target)
    const caller = await callerOf(request)
    const forced = await forcing(target, { session: caller.session?.id, prefer, chaos: drawn })
    return { forced, delay: drawn?.delay }
  }

  return async (inner, place, args) => {
    const { request, requestId } = args
    const begun = writer.begin()
    keepAsSent(request)
    const decided = mayForce(place, request) ? await decide(inner, place, args) : undefined
    const wait = async () => {
      const ms = decided?.delay ?? delays.draw(place.target)
      if (ms > 0) await abortableDelay(ms, request.signal)
    }
    const log = async (why: string, response: Response, forced?: ScenarioResult['forced']) =>
      writer.writeResponse(begun, {
        request,
        place,
        caller: await callerOf(request),
        body: await bodyOf(request),
        why,
        forced,
        response,
      })

    const forced = decided?.forced
    if (forced) {
      await wait()
      const response = await log(forced.why, forcedResponse(forced, request.method), forced.forced)
      if (forced.fault === 'hang') await hang(request)
      return { handler: inner, request, requestId, response }
    }
    const result = await inner.run(args).catch(async (error) => {
      await log(`the handler threw: ${error}`, HttpResponse.error())
      throw error
    })
    if (!result?.response) return result
    const isPassed = isPassthrough(result.response)
    if (isPassed && passesToMock) return result
    await wait()
    if (!isPassed) {
      result.response = await log('handler', result.response)
      return result
    }
    await log('passthrough', HttpResponse.error())
    return result
  }
}

/** What `passthrough()` of MSW returns. */
export const isPassthrough = ({ headers }: Response): boolean =>
  headers.get('x-msw-intention') === 'passthrough'
