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

type Parse = HttpHandler['parse']

/**
 * An MSW handler that matches with the contract's own routing, so that every adapter agrees on paths, and that
 * takes the cookie header as it was sent. MSW adds to that header what its own jar and the page hold; they count
 * only where the request brought none.
 */
export class MockHandler extends HttpHandler {
  readonly #route: MockRoute

  constructor(route: MockRoute) {
    super(route.method, route.path, ({ request, params, cookies }) =>
      route.resolve({
        request,
        url: new URL(request.url),
        params: params as Record<string, string>,
        cookie: cookies[sessionCookie],
      }),
    )
    this.#route = route
  }

  override async parse(args: Parameters<Parse>[0]): ReturnType<Parse> {
    const { request } = args
    const params = this.#route.match(request.method, new URL(request.url))
    if (!params) return { match: { matches: false, params: {} }, cookies: {} }
    const sent = request.headers.get('cookie')
    const cookies = sent === null ? (await super.parse(args)).cookies : onlySession(sent)
    return { match: { matches: true, params: params as PathParams }, cookies }
  }

  override async predicate({ parsedResult }: Parameters<HttpHandler['predicate']>[0]): Promise<boolean> {
    return parsedResult.match.matches
  }
}

function onlySession(header: string): Record<string, string> {
  const value = cookieSentOnce(header)
  return value === undefined ? {} : { [sessionCookie]: value }
}
