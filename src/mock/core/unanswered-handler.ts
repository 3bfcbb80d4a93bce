import { isCommonAssetRequest, matchRequestUrl, RequestHandler } from 'msw'
import { type AnswerRequest, requestTo } from './answer-request.js'
import type { RunArguments, RunResult } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import { asSent } from './sent-request.js'
import {
  exactTarget,
  patternOf,
  placeOfRequest,
  splitTarget,
  type TargetName,
  type TargetPlace,
} from './target-name.js'

/** What becomes of requests that no handler answers. */
export type Unanswered = ReturnType<typeof createUnanswered>

export function createUnanswered(parts: MockParts) {
  const { scenarios, targets, writer, origins } = parts
  /** The targets of a request that something is forced on: its very path, the one with `:id`, then patterns. */
  const forcedOn = (request: Request): TargetPlace[] => {
    const { method, url } = request
    const matching = scenarios.forced().filter((target) => {
      const made = splitTarget(target)
      if (!made.path || targets.find(target)?.kind === 'handler') return false
      return (made.method === 'ALL' || made.method === method) && isMatch(url, made.path, origins[0])
    })
    const named: TargetName[] = [exactTarget(request, origins), placeOfRequest(request, origins).target]
    return [...new Set([...named.filter(scenarios.isForced), ...matching])].map(splitTarget)
  }
  /** The target of a request: one that something is forced on, or the one that its path names. */
  const placeOf = (request: Request) => forcedOn(request)[0] ?? placeOfRequest(request, origins)

  const described = (request: Request, place = placeOf(request)) => requestTo(place, request, parts)

  return {
    placeOf,
    forcedOn,
    /**
     * Answers a request as something forces it. What is forced for one persona leaves the others to the next target.
     * @param body its body, if it was read
     */
    async force(request: Request, answer: AnswerRequest, body?: Uint8Array): Promise<Response | undefined> {
      for (const place of forcedOn(request)) {
        const given = { ...described(request, place), ...(body && { body: () => body }) }
        const response = await answer(given, async () => undefined)
        if (response) return response
      }
      return undefined
    },
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
    const response = await this.#unanswered.force(request, this.#answer)
    if (response) return { handler: this, request, requestId, response }
    if (this.#logs) await this.#unanswered.log(request)
    return null
  }

  override predicate({ request }: { request: Request }): boolean {
    return this.#unanswered.forcedOn(request).length > 0
  }

  override log(): void {}
}
