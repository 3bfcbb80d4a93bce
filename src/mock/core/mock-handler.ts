import { HttpResponse, RequestHandler } from 'msw'
import { cookieSentOnce } from '../../contract/cookie.js'
import type { AbortSignalLike } from './delays.js'

/** A request as plain data, whatever it came as. */
export type MockHttpRequest = {
  method: string
  url: URL
  headers: Headers
  /** Empty where none was sent. */
  body: Uint8Array
  /** The session cookie, if it was sent once. */
  cookie?: string
  /** Aborted when the client leaves. */
  signal: AbortSignalLike
}

/** What a request is to the route that takes it: its path as the contract writes it, and the parameters therein. */
export type Match = { path: string; params: Record<string, string> }

/** What a route gets. */
export type MockRequest = MockHttpRequest & Match

/** What a route gives; Set-Cookie is among the headers. */
export type MockReply = { status: number; headers: Record<string, string>; body: string | null }

export type MockRoute = {
  /** How MSW's messages name it. */
  method: string
  path: string
  /** The path parameters where the route takes the request, otherwise undefined. */
  match(method: string, path: string): Record<string, string> | undefined
  /** Undefined where the connection breaks instead of an answer. */
  resolve(request: MockRequest): Promise<MockReply | undefined>
}

/** The base URL, below which the paths of the contract are. */
export type Base = {
  url: string
  /** The path below it, undefined where the URL leads elsewhere. */
  pathOf(url: URL): string | undefined
}

/** Where the session cookie is kept, in place of MSW's own store of cookies. */
export type CookieJar = {
  /** The session cookie that goes with a request. */
  read(request: Request): string | undefined
  /** Takes note of the Set-Cookie header of the answer to a request. */
  write(setCookie: string, request: Request): void
}

type Parsed = { match?: Match }

/**
 * An MSW handler that matches with the contract's own routing, so that every adapter agrees on paths, and that
 * takes the cookie header as it was sent; only a request that brought none has the jar's. It is no HttpHandler:
 * that one would bring its own matching, and a store of cookies that wins over both.
 */
export class MockHandler extends RequestHandler<{ header: string }, Parsed, Parsed> {
  readonly #route: MockRoute
  readonly #base: Base

  constructor(route: MockRoute, base: Base, jar: CookieJar) {
    super({
      info: { header: `${route.method} ${base.url}${route.path}` },
      // MSW runs it for requests that this handler takes, and those have a match.
      async resolver({ request, match }: { request: Request; match: Match }) {
        const reply = await route.resolve({ ...(await asked(request, jar)), ...match })
        return reply ? keeping(jar, request, reply) : HttpResponse.error()
      },
    })
    this.#route = route
    this.#base = base
  }

  /** What the request is to this handler; undefined where it does not take it. */
  match(method: string, url: URL): Match | undefined {
    const path = this.#base.pathOf(url)
    const params = path === undefined ? undefined : this.#route.match(method, path)
    return path === undefined || !params ? undefined : { path, params }
  }

  /**
   * What the resolver answers, for an adapter that has no use for Fetch's objects: they cost several times what
   * the answer does.
   */
  reply(request: MockRequest): Promise<MockReply | undefined> {
    return this.#route.resolve(request)
  }

  override async parse({ request }: { request: Request }): Promise<Parsed> {
    return { match: this.match(request.method, new URL(request.url)) }
  }

  override async predicate({ parsedResult }: { parsedResult: Parsed }) {
    return parsedResult.match !== undefined
  }

  override extendResolverArgs({ parsedResult }: { parsedResult: Parsed }): Parsed {
    return parsedResult
  }

  override log({ request, response }: { request: Request; response: Response }): void {
    console.groupCollapsed(`[MSW] ${request.method} ${new URL(request.url).pathname} (${response.status})`)
    console.log('Request', request)
    console.log('Response', response)
    console.groupEnd()
  }
}

async function asked(request: Request, jar: CookieJar): Promise<MockHttpRequest> {
  const { method, headers, signal } = request
  const sent = headers.get('cookie')
  return {
    method,
    url: new URL(request.url),
    headers,
    cookie: sent === null ? jar.read(request) : cookieSentOnce(sent),
    signal,
    body: new Uint8Array(await request.arrayBuffer()),
  }
}

/** The response to a reply whose Set-Cookie goes into the jar, and past MSW's store of cookies. */
function keeping(jar: CookieJar, request: Request, { headers, body, status }: MockReply): Response {
  const { 'set-cookie': setCookie, ...others } = headers
  const response = new HttpResponse(body, { status, headers: others })
  if (setCookie !== undefined) {
    jar.write(setCookie, request)
    // Shown to tests in Node, as a server would; no page sees this header.
    response.headers.set('set-cookie', setCookie)
  }
  return response
}
