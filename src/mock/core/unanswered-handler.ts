import { isCommonAssetRequest, matchRequestUrl, RequestHandler } from 'msw'
import { hang } from './delays.js'
import { type Forcing, forcedResponse } from './forcing.js'
import type { LogWriter } from './log-writer.js'
import type { Personas } from './personas.js'
import type { Scenarios } from './scenarios.js'
import type { CookieJar } from './sent-request.js'
import { asSent, bodyOf, keepAsSent, sentCookies } from './sent-request.js'
import { placeOfRequest, splitTarget, type TargetPlace } from './target-name.js'
import type { Targets } from './targets.js'
import type { RunArguments, RunResult } from './wrapped-handler.js'

type Options = {
  forcing: Forcing
  scenarios: Scenarios
  targets: Targets
  personas: Personas
  jar: CookieJar
  writer: LogWriter
  origins: readonly string[]
}

/** What becomes of requests that no handler answers. */
export type Unanswered = ReturnType<typeof createUnanswered>

export function createUnanswered(options: Options) {
  const { forcing, scenarios, targets, personas, jar, writer, origins } = options

  /** The target of a request: one that a custom response was made for, or the one that its path names. */
  const placeOf = (request: Request): TargetPlace => {
    const [home = request.url] = origins
    const made = scenarios.forced().find((target) => {
      const [method, path] = target.split(' ')
      if (path === undefined || targets.find(target)?.kind === 'handler') return false
      return method === request.method && matchRequestUrl(new URL(request.url), path, home).matches
    })
    if (made === undefined) return placeOfRequest(request, origins)
    return splitTarget(made)
  }
  const described = async (request: Request) => {
    keepAsSent(request)
    const { cookies, marker } = sentCookies(request, jar)
    return {
      request,
      caller: await personas.resolveCaller(cookies, marker),
      body: await bodyOf(request),
    }
  }

  return {
    placeOf,
    /** Whether something is forced on the target of a request. */
    isForced: (request: Request) => scenarios.isForced(placeOf(request).target),
    /** Answers a request by what is forced on its target, if anything is. */
    async answer(request: Request): Promise<Response | undefined> {
      const place = placeOf(request)
      if (!scenarios.isForced(place.target)) return undefined
      const begun = writer.begin()
      const answered = { ...(await described(request)), place }
      const session = answered.caller.session?.id
      const forced = await forcing(place.target, { session, prefer: request.headers.get('prefer') })
      if (!forced) return undefined
      const sent = await writer.writeResponse(
        begun,
        { ...answered, why: forced.why, forced: forced.forced },
        forcedResponse(forced, request.method),
      )
      if (forced.fault === 'hang') await hang(request)
      return sent
    },
    /** Logs a request, with the response that it gets, unless it loads a page or a part of one. */
    async log(request: Request, response?: Response): Promise<Response | undefined> {
      if (!isCall(request)) return response
      const answered = { ...(await described(request)), place: placeOf(request), why: 'no handler' }
      // The response itself goes on, with its length.
      if (response) await writer.writeResponse(writer.begin(), answered, response.clone())
      else await writer.write(writer.begin(), { ...answered, status: 0 })
      return response
    },
  }
}

/** Whether a request is one of a program, not of a page that loads itself. */
function isCall(request: Request): boolean {
  const { pathname } = new URL(request.url)
  const { headers } = asSent(request)
  return (
    !isCommonAssetRequest(request) &&
    !/^\/(@|__dev\/|favicon\.ico$)/.test(pathname) &&
    !headers.get('accept')?.includes('text/html') &&
    (headers.get('sec-fetch-dest') ?? 'empty') === 'empty'
  )
}

/** The last handler of a mock. It answers what a custom response was made for, and logs what nobody answers. */
export class UnansweredHandler extends RequestHandler {
  readonly #unanswered: Unanswered
  readonly #logs: boolean

  /** @param logs whether a request that gets here is answered by nobody else */
  constructor(unanswered: Unanswered, logs: boolean) {
    super({ info: { header: 'requests without a handler' }, resolver: () => undefined })
    this.#unanswered = unanswered
    this.#logs = logs
  }

  override async run({ request, requestId }: RunArguments): RunResult {
    const response = await this.#unanswered.answer(request)
    if (response) return { handler: this, request, requestId, response }
    if (this.#logs) await this.#unanswered.log(request)
    return null
  }

  override predicate({ request }: { request: Request }): boolean {
    return this.#unanswered.isForced(request)
  }

  override log(): void {}
}
