import { HttpHandler, type PathParams } from 'msw'
import { cookieSentOnce, sessionCookie } from '../../contract/cookie.js'

/** What a resolver gets: the request, its path parameters, and its session cookie if it was sent once. */
export type MockRequest = { request: Request; url: URL; params: Record<string, string>; cookie?: string }

export type MockRoute = {
  /** How MSW's messages name it. */
  method: string
  path: string
  /** The path parameters where the route takes the request, otherwise undefined. */
  match(method: string, url: URL): Record<string, string> | undefined
  resolve(incoming: MockRequest): Promise<Response>
}

/** Keeps the session cookie where there is no browser to do so. */
export type CookieJar = {
  /** The session cookie that goes with a request. */
  read(request: Request): string | undefined
  /** Takes note of a response's Set-Cookie header. */
  write(setCookie: string): void
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
    super(route.method, route.path, ({ request, params, cookies }) =>
      route.resolve({
        request,
        url: new URL(request.url),
        params: params as Record<string, string>,
        cookie: cookies[sessionCookie],
      }),
    )
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
