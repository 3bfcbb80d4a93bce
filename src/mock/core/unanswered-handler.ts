import { isCommonAssetRequest, matchRequestUrl, RequestHandler } from 'msw'
import type { MockParts } from './mock-parts.js'
import { asSent, bodyOf, keepAsSent, sentCookies } from './sent-request.js'
import { placeOfRequest, splitTarget, type TargetPlace } from './target-name.js'
import type { RunArguments, RunHandler, RunResult } from './wrapped-handler.js'

/** What becomes of requests that no handler answers. */
export type Unanswered = ReturnType<typeof createUnanswered>

export function createUnanswered({ scenarios, targets, personas, jar, writer, origins }: MockParts) {
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
  readonly #run: RunHandler
  readonly #logs: boolean

  /** @param logs whether a request that gets here is answered by nobody else */
  constructor(unanswered: Unanswered, run: RunHandler, logs: boolean) {
    super({ info: { header: 'requests without a handler' }, resolver: () => undefined })
    this.#unanswered = unanswered
    this.#run = run
    this.#logs = logs
  }

  override run(args: RunArguments): RunResult {
    const inner = { isUsed: false, test: async () => true, run: () => this.#pass(args) }
    if (!this.predicate(args)) return inner.run()
    const place = this.#unanswered.placeOf(args.request)
    return this.#run({ inner, place, isUsed: false }, this, args)
  }

  async #pass({ request }: RunArguments): RunResult {
    if (this.#logs) await this.#unanswered.log(request)
    return null
  }

  override predicate({ request }: { request: Request }): boolean {
    return this.#unanswered.isForced(request)
  }

  override log(): void {}
}
