import { HttpResponse, RequestHandler } from 'msw'
import { type CookieJar, sentCookies } from './sent-request.js'

/** What MSW calls a handler with, and what it gets. */
export type RunArguments = Parameters<RequestHandler['run']>[0]
export type RunResult = ReturnType<RequestHandler['run']>

/** A request to the mock. */
export type MockRequest = {
  /** The request itself; its body has been read. */
  request: Request
  /** The path below the base URL. */
  path: string
  /** Empty if the request has none. */
  body: Uint8Array
  /** The values of the session cookie. */
  cookies: string[]
  /** The marker of a browser that used the sign-in page, if it was sent exactly once. */
  marker?: string
}

export type MockReply = {
  status: number
  headers: Record<string, string>
  body: string | null
  /** The Set-Cookie headers. */
  cookies?: string[]
}

/** Finds what answers a request for a path below the base URL; undefined if the mock does not. */
export type FindResolver = (
  method: string,
  path: string,
) => ((request: MockRequest) => Promise<Response>) | undefined

const noBytes = new Uint8Array()

/**
 * An MSW handler that matches with the contract's own routing, so that all adapters agree on paths, and reads the
 * Cookie header as it was sent. The cookie jar applies only to requests without one. It does not extend HttpHandler,
 * which has its own path matching, and a cookie store that takes precedence over the header and the jar.
 */
export class MockHandler extends RequestHandler {
  readonly #find: FindResolver
  readonly #baseUrl: string
  readonly #jar: CookieJar

  /**
   * @param paths those that it answers, for MSW's messages
   * @param baseUrl the normalized URL below which the paths are, without a slash at its end
   */
  constructor(paths: string, find: FindResolver, baseUrl: string, jar: CookieJar) {
    super({ info: { header: `ALL ${baseUrl}${paths}` }, resolver: () => undefined })
    this.#find = find
    this.#baseUrl = baseUrl
    this.#jar = jar
  }

  /**
   * Replaces MSW's version, which clones each request and prepares for generators and clean-up callbacks. Neither is
   * used here, and both cost more than the reply itself.
   */
  override async run({ request, requestId }: RunArguments): RunResult {
    const path = this.#pathOf(request)
    const resolve = path === undefined ? undefined : this.#find(request.method, path)
    if (path === undefined || !resolve) return null
    const response = await resolve({
      path,
      request,
      ...sentCookies(request, this.#jar),
      // Not decided by request.body, which Firefox does not have.
      body: /^(GET|HEAD)$/.test(request.method) ? noBytes : new Uint8Array(await request.arrayBuffer()),
    })
    return { handler: this, request, requestId, response }
  }

  override predicate({ request }: { request: Request }): boolean {
    const path = this.#pathOf(request)
    return path !== undefined && this.#find(request.method, path) !== undefined
  }

  override log({ request, response }: { request: Request; response: Response }): void {
    console.groupCollapsed(`[MSW] ${request.method} ${new URL(request.url).pathname} (${response.status})`)
    console.log('Request', request)
    console.log('Response', response)
    console.groupEnd()
  }

  /** The path below the base URL; undefined if the URL is not. */
  #pathOf({ url }: Request): string | undefined {
    return url.startsWith(`${this.#baseUrl}/`)
      ? url.slice(this.#baseUrl.length).replace(/[?#].*$/s, '')
      : undefined
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
