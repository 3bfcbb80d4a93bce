import { HttpResponse, RequestHandler } from 'msw'
import type { AnswerRequest } from './answer.js'
import type { HandlerResult, MockReply } from './mock-reply.js'
import type { FollowedRequest } from './request-follower.js'
import { type SentRequest, sentBy } from './sent-request.js'

type RunArguments = Parameters<RequestHandler['run']>[0]
type RunResult = ReturnType<RequestHandler['run']>
type LogArguments = { request: Request; response: Response; parsedResult: { by?: HandlerResult } }

type HandledMock = {
  answer: AnswerRequest
  /** Whether the mock may answer a request. */
  takes(sent: SentRequest): Promise<boolean>
  logUnanswered(sent: SentRequest): Promise<unknown>
  /** Resets the user's handlers: generators with `reset`, `once` with `restore`. */
  callOnHandlers(name: 'reset' | 'restore'): void
  /** Lets the process end although requests are waiting. */
  release(): void
  /** Follows a request in the browser. By default only its own signal says that it was aborted. */
  follow?(
    given: Pick<RunArguments, 'request' | 'requestId'>,
  ): (FollowedRequest & Pick<SentRequest, 'noticeAbort'>) | undefined
}

/**
 * The mock as one handler of MSW. Requests that it does not answer go to later handlers, `onUnhandledRequest` and the
 * network.
 */
export class MockHandler extends RequestHandler {
  readonly #mock: HandledMock

  /** @param baseUrl for MSW's messages */
  constructor(mock: HandledMock, baseUrl: string) {
    super({ info: { header: `dashboard-api at ${baseUrl}` }, resolver: () => undefined })
    this.#mock = mock
  }

  /** Replaces MSW's version, which clones each request: that costs more than the reply. */
  override async run(given: RunArguments): RunResult {
    const followed = this.#mock.follow?.(given)
    const sent = sentBy(given, followed)
    const answered = await this.#mock.answer(sent).catch((error) => {
      // MSW answers with 500.
      followed?.answered(500)
      throw error
    })
    const { reply, response, by, settle } = answered ?? {}
    if (!followed) settle?.(!sent.signal.aborted)
    else if (!answered || !settle) followed.answered('elsewhere')
    else followed.answered((reply ?? response)?.status ?? 0, settle)
    if (!answered) {
      await this.#mock.logUnanswered(sent)
      return null
    }
    const { request, requestId } = given
    return {
      handler: this,
      request,
      requestId,
      response: response ?? (reply ? toResponse(reply, request.method) : HttpResponse.error()),
      parsedResult: { by },
    }
  }

  override predicate({ request }: { request: Request }): Promise<boolean> {
    return this.#mock.takes(sentBy({ request }))
  }

  override log({ request, response, parsedResult }: LogArguments): void {
    const { by } = parsedResult
    if (by) {
      void by.handler.log({ request, response, parsedResult: by.parsedResult })
      return
    }
    console.groupCollapsed(`[MSW] ${request.method} ${new URL(request.url).pathname} (${response.status})`)
    console.log('Request', request)
    console.log('Response', response)
    console.groupEnd()
  }

  /** MSW calls `reset` and `restore` when its handlers are reset. */
  override reset(): void {
    this.#mock.callOnHandlers('reset')
  }

  override restore(): void {
    this.#mock.callOnHandlers('restore')
  }

  /** MSW 3 calls it when it is closed. */
  dispose(): void {
    this.#mock.release()
  }
}

const encoder = new TextEncoder()

/**
 * Makes the response to a request. To HEAD it has no body, but the length of the body that GET would get. Set-Cookie is added
 * afterwards, so that MSW does not store the cookie.
 */
export function toResponse({ status, headers, body, cookies = [] }: MockReply, method: string): Response {
  const isHead = method === 'HEAD'
  const response = new HttpResponse(isHead ? null : body, { status, headers })
  if (isHead) response.headers.set('content-length', String(encoder.encode(body ?? '').length))
  // Visible to tests in Node, as from a server. Browsers hide this header from pages.
  for (const setCookie of cookies) response.headers.append('set-cookie', setCookie)
  return response
}
