import { HttpResponse, RequestHandler } from 'msw'
import { cookieSentOnce } from '../../contract/cookie.js'

/** What a resolver gets: the request, its path parameters, and its session cookie if it was sent once. */
export type MockRequest = { request: Request; url: URL; params: Record<string, string>; cookie?: string }

/** What a resolver gives; Set-Cookie is among the headers. */
export type MockReply = { status: number; headers: Record<string, string>; body: string | null }

export type MockRoute = {
  /** How MSW's messages name it. */
  method: string
  path: string
  /** The path parameters where the route takes the request, otherwise undefined. */
  match(method: string, url: URL): Record<string, string> | undefined
  /** Undefined where the connection breaks instead of an answer. */
  resolve(incoming: MockRequest): Promise<MockReply | undefined>
}

/** Where the session cookie is kept, in place of MSW's own store of cookies. */
export type CookieJar = {
  /** The session cookie that goes with a request. */
  read(request: Request): string | undefined
  /** Takes note of the Set-Cookie header of the answer to a request. */
  write(setCookie: string, request: Request): void
}

/** What a request is to a route: its path parameters and its session cookie. */
type Parsed = { params: Record<string, string>; cookie: string | undefined }

/**
 * An MSW handler that matches with the contract's own routing, so that every adapter agrees on paths, and that
 * takes the cookie header as it was sent; only a request that brought none has the jar's. It is no HttpHandler:
 * that one would bring its own matching, and a store of cookies that wins over both.
 */
export class MockHandler extends RequestHandler<{ header: string }, Parsed | Record<string, never>, Parsed> {
  readonly #route: MockRoute
  readonly #jar: CookieJar

  constructor(route: MockRoute, jar: CookieJar) {
    super({
      info: { header: `${route.method} ${route.path}` },
      async resolver({ request, params, cookie }) {
        const reply = await route.resolve({ request, url: new URL(request.url), params, cookie })
        return reply ? keeping(jar, request, reply) : HttpResponse.error()
      },
    })
    this.#route = route
    this.#jar = jar
  }

  override async parse({ request }: { request: Request }): Promise<Parsed | Record<string, never>> {
    const params = this.#route.match(request.method, new URL(request.url))
    if (!params) return {}
    const sent = request.headers.get('cookie')
    return { params, cookie: sent === null ? this.#jar.read(request) : cookieSentOnce(sent) }
  }

  override async predicate({ parsedResult }: { parsedResult: Parsed | Record<string, never> }) {
    return parsedResult.params !== undefined
  }

  override extendResolverArgs({ parsedResult }: { parsedResult: Parsed | Record<string, never> }): Parsed {
    return parsedResult as Parsed
  }

  override log({ request, response }: { request: Request; response: Response }): void {
    console.groupCollapsed(`[MSW] ${request.method} ${new URL(request.url).pathname} (${response.status})`)
    console.log('Request', request)
    console.log('Response', response)
    console.groupEnd()
  }
}

const toResponse = ({ body, ...init }: MockReply): Response => new HttpResponse(body, init)

/** The response to a reply whose Set-Cookie goes into the jar, and past MSW's store of cookies. */
function keeping(jar: CookieJar, request: Request, { headers, ...reply }: MockReply): Response {
  const { 'set-cookie': setCookie, ...others } = headers
  const response = toResponse({ ...reply, headers: others })
  if (setCookie !== undefined) {
    jar.write(setCookie, request)
    // Shown to tests in Node, as a server would; no page sees this header.
    response.headers.set('set-cookie', setCookie)
  }
  return response
}
