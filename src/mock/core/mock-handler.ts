import { HttpHandler, HttpResponse, type PathParams } from 'msw'
import { cookieSentOnce, sessionCookie } from '../../contract/cookie.js'

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

type Parse = HttpHandler['parse']

/**
 * An MSW handler that matches with the contract's own routing, so that every adapter agrees on paths, and that
 * takes the cookie header as it was sent. MSW adds to that header what its own jar and the page hold; they, or
 * the jar given here, count only where the request brought none.
 */
export class MockHandler extends HttpHandler {
  readonly #route: MockRoute
  readonly #jar: CookieJar | undefined

  constructor(route: MockRoute, jar?: CookieJar) {
    super(route.method, route.path, async ({ request, params, cookies }) => {
      const reply = await route.resolve({
        request,
        url: new URL(request.url),
        params: params as Record<string, string>,
        cookie: cookies[sessionCookie],
      })
      if (!reply) return HttpResponse.error()
      return jar ? keeping(jar, request, reply) : toResponse(reply)
    })
    this.#route = route
    this.#jar = jar
  }

  override async parse(args: Parameters<Parse>[0]): ReturnType<Parse> {
    const { request } = args
    const params = this.#route.match(request.method, new URL(request.url))
    if (!params) return { match: { matches: false, params: {} }, cookies: {} }
    return { match: { matches: true, params: params as PathParams }, cookies: await this.#cookies(args) }
  }

  async #cookies(args: Parameters<Parse>[0]): Promise<Record<string, string>> {
    const sent = args.request.headers.get('cookie')
    if (sent !== null) return onlySession(cookieSentOnce(sent))
    return this.#jar ? onlySession(this.#jar.read(args.request)) : (await super.parse(args)).cookies
  }

  override async predicate({ parsedResult }: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return parsedResult.match.matches
  }
}

const onlySession = (value: string | undefined): Record<string, string> =>
  value === undefined ? {} : { [sessionCookie]: value }

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
