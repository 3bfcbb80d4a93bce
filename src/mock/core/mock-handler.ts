import { HttpResponse, RequestHandler } from 'msw'

/** What MSW calls a handler with, and what it gets. */
export type RunArguments = Parameters<RequestHandler['run']>[0]
export type RunResult = ReturnType<RequestHandler['run']>

export type MockReply = {
  status: number
  headers: Record<string, string>
  body: string | null
  /** The Set-Cookie headers. */
  cookies?: string[]
}

/** Finds what answers requests for a path below the base URL; undefined if the mock does not. */
export type FindResolver = (
  method: string,
  path: string,
) => ((request: Request) => Promise<Response>) | undefined

/**
 * An MSW handler that matches with the contract's own routing, so that all adapters agree on paths, and leaves the Cookie
 * header as it was sent. It does not extend HttpHandler, which has its own path matching, and a cookie store that takes
 * precedence over the header and the jar.
 */
export class MockHandler extends RequestHandler {
  readonly #find: (request: Request) => ReturnType<FindResolver>

  /**
   * @param paths those that it answers, for MSW's messages
   * @param baseUrl the normalized URL below which the paths are, without a slash at its end
   */
  constructor(paths: string, find: FindResolver, baseUrl: string) {
    super({ info: { header: `ALL ${baseUrl}${paths}` }, resolver: () => undefined })
    this.#find = ({ method, url }) =>
      url.startsWith(`${baseUrl}/`)
        ? find(method, url.slice(baseUrl.length).replace(/[?#].*$/s, ''))
        : undefined
  }

  /**
   * Replaces MSW's version, which clones each request and prepares for generators and clean-up callbacks. Neither is
   * used here, and both cost more than the reply itself.
   */
  override async run({ request, requestId }: RunArguments): RunResult {
    const resolve = this.#find(request)
    return resolve ? { handler: this, request, requestId, response: await resolve(request) } : null
  }

  override predicate({ request }: { request: Request }): boolean {
    return this.#find(request) !== undefined
  }

  override log({ request, response }: { request: Request; response: Response }): void {
    console.groupCollapsed(`[MSW] ${request.method} ${new URL(request.url).pathname} (${response.status})`)
    console.log('Request', request)
    console.log('Response', response)
    console.groupEnd()
  }
}

const encoder = new TextEncoder()
const texts = new WeakMap<Response, string>()

/** The text of a response of the mock, without consuming its stream: in Node that costs more than the response. */
export const textOf = (response: Response): string | undefined => texts.get(response)

/**
 * Makes the response to a request. To HEAD it has no body, but the length of the one that GET would get. The Set-Cookie
 * header is added afterwards, so that MSW does not put it into its own cookie store.
 */
export function toResponse({ status, headers, body, cookies = [] }: MockReply, method: string): Response {
  const isHead = method === 'HEAD'
  const response = new HttpResponse(isHead ? null : body, { status, headers })
  if (isHead) response.headers.set('content-length', String(encoder.encode(body ?? '').length))
  else if (body !== null) texts.set(response, body)
  // Visible to tests in Node, as from a server. Browsers hide this header from pages.
  for (const setCookie of cookies) response.headers.append('set-cookie', setCookie)
  return response
}
