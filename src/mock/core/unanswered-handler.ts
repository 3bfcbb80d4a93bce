import { isCommonAssetRequest, matchRequestUrl, RequestHandler } from 'msw'
import { type AnswerRequest, requestTo } from './answer-request.js'
import type { RunArguments, RunResult } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import { asSent } from './sent-request.js'
import { patternOf, placeOfRequest, splitTarget, type TargetPlace } from './target-name.js'

/** What becomes of requests that no handler answers. */
export type Unanswered = ReturnType<typeof createUnanswered>

export function createUnanswered(parts: MockParts) {
  const { scenarios, targets, writer, origins } = parts
  /** The target of a request: one that a custom response was made for, or the one that its path names. */
  const placeOf = (request: Request): TargetPlace => {
    const place = placeOfRequest(request, origins)
    if (scenarios.isForced(place.target)) return place
    const made = scenarios.forced().find((target) => {
      const { method, path } = splitTarget(target)
      if (!path || targets.find(target)?.kind === 'handler') return false
      return (method === 'ALL' || method === request.method) && isMatch(request.url, path, origins[0])
    })
    return made === undefined ? place : splitTarget(made)
  }
  const described = (request: Request) => requestTo(placeOf(request), request, parts)

  return {
    placeOf,
    described,
    /** Whether something is forced on the target of a request. */
    isForced: (request: Request) => scenarios.isForced(placeOf(request).target),
    /** Logs a request, with the response that it gets, unless it loads a page or a part of one. */
    async log(request: Request, response?: Response): Promise<Response | undefined> {
      if (!isCall(request)) return response
      const given = described(request)
      return writer.write(writer.begin(request), given, { response, why: 'no handler' }, given.caller())
    },
  }
}

/** Whether a URL matches the path of a target, and can be decoded. */
function isMatch(url: string, path: string, home: string | undefined): boolean {
  try {
    return matchRequestUrl(new URL(url), patternOf(path), home).matches
  } catch {
    return false
  }
}

/** Whether a request is one of a program, not of a page that loads itself. */
function isCall(request: Request): boolean {
  const { protocol, pathname } = new URL(request.url)
  const { headers } = asSent(request)
  return (
    // Not data: or blob:, whose address may be the content.
    protocol.startsWith('http') &&
    !isCommonAssetRequest(request) &&
    !/^\/(@|__dev\/|favicon\.ico$)/.test(pathname) &&
    !headers.get('accept')?.includes('text/html') &&
    (headers.get('sec-fetch-dest') ?? 'empty') === 'empty'
  )
}

/** The last handler of a mock. It answers what a custom response was made for, and logs what nobody answers. */
export class UnansweredHandler extends RequestHandler {
  readonly #unanswered: Unanswered
  readonly #answer: AnswerRequest
  readonly #logs: boolean

  /** @param logs whether a request that gets here is answered by nobody else */
  constructor(unanswered: Unanswered, answer: AnswerRequest, logs: boolean) {
    super({ info: { header: 'requests without a handler' }, resolver: () => undefined })
    this.#unanswered = unanswered
    this.#answer = answer
    this.#logs = logs
  }

  override async run({ request, requestId }: RunArguments): RunResult {
    const pass = async () => {
      if (this.#logs) await this.#unanswered.log(request)
      return undefined
    }
    const response = this.predicate({ request })
      ? await this.#answer(this.#unanswered.described(request), async () => true, pass)
      : await pass()
    return response ? { handler: this, request, requestId, response } : null
  }

  override predicate({ request }: { request: Request }): boolean {
    return this.#unanswered.isForced(request)
  }

  override log(): void {}
}
