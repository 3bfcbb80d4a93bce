import { framedBy } from '../../src/mock/engine/framed-headers.js'

/** Parts of the responses to a request that may differ between the dev server and production. */
export type AllowedDifference = {
  /** Matches the method and the target that the server read, a line break, and the bytes. By default all requests. */
  requests?: RegExp
  /** A description of the requests for readers. */
  where: string
  /** The names of headers, `status` or `body`. By default the whole response. */
  parts?: readonly string[]
  /** The response of each mode, for readers. */
  mock: string
  production: string
  reason: string
  /** Whether these values may differ; undefined stands for a missing part. By default any may. */
  allows?(mock: string | undefined, production: string | undefined): boolean
}

/**
 * The only list of allowed differences: docs/parity.md has it as a table. The comparison fails for a difference that is not
 * listed, and for an entry that no request needs.
 */
export const allowedDifferences: AllowedDifference[] = [
  {
    where: 'every response',
    parts: ['x-request-id'],
    mock: 'absent',
    production: 'an id',
    reason:
      'It names the request in the log of production. The log of the mock shows requests with their responses.',
    allows: (mock, production = '') => mock === undefined && /^[\w-]{1,64}$/.test(production),
  },
  {
    requests: /^GET (https?:\/\/[^/]*)?\/v1\/auth\/me([?#].*)?\n/i,
    where: '`GET /v1/auth/me`',
    parts: ['body'],
    mock: '`devMode` and `role`',
    production: 'neither',
    reason: 'They mark the mock (section 2.2).',
    allows: (mock = '', production = '') => {
      const { devMode, role, ...bundle } = JSON.parse(mock)
      return devMode === true && typeof role === 'string' && JSON.stringify(bundle) === production
    },
  },
  {
    requests: /^HEAD (https?:\/\/[^/]*)?(\/v1\/auth\/me([?#].*)?\n|\/docs([?#].*)?\n|\/docs\/errors\/)/i,
    where: '`HEAD /v1/auth/me`, `HEAD /docs`, `HEAD /docs/errors/…`',
    parts: ['content-length'],
    mock: 'the length of its body',
    production: 'the length of its body',
    reason: 'The bodies of GET may differ.',
  },
  {
    requests: /^(GET|HEAD) (https?:\/\/[^/]*)?\/auth\/sign-in([?#].*)?\n/,
    where: '`GET /auth/sign-in`',
    mock: 'a page to choose a persona',
    production: 'a redirect to the identity provider; without one 501 and a page that says so',
    reason: 'The mock has no identity provider.',
  },
  {
    requests: /^POST (https?:\/\/[^/]*)?\/auth\/sign-in([?#].*)?\n/,
    where: '`POST /auth/sign-in`',
    mock: '303 and the cookie of the chosen persona',
    production: '404',
    reason: "It is the form of the mock's page.",
  },
  {
    requests: /^POST (https?:\/\/[^/]*)?\/auth\/sign-out([?#].*)?\n/,
    where: '`POST /auth/sign-out`',
    parts: ['set-cookie'],
    mock: 'without `HttpOnly`',
    production: '`HttpOnly`',
    reason: "Scripts may read and set the mock's cookie, which is the name of a persona.",
    allows: (mock, production) =>
      mock === 'session=; Path=/; SameSite=Lax; Max-Age=0' &&
      production === 'session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax',
  },
  {
    requests: /\r\ncookie: session=active\r\n/i,
    where: 'the cookie `session=active`',
    mock: 'the responses to the persona in use',
    production: '401',
    reason: 'Only the mock has a persona in use.',
  },
  {
    requests: /^GET (https?:\/\/[^/]*)?\/docs([?#].*)?(\/errors\/.*)?\n/,
    where: '`GET /docs`, `GET /docs/errors/…`',
    parts: ['body'],
    mock: 'examples with its own address, and links to its page',
    production: 'examples with the default address of a mock',
    reason: 'The examples show how to get a response from a mock.',
    allows: (mock = '', production = '') => {
      const titleOf = (page: string) => /^<!doctype html>.*?<title>(.*?)<\/title>/s.exec(page)?.[1]
      return titleOf(mock) !== undefined && titleOf(mock) === titleOf(production)
    },
  },
  {
    requests: /^(GET|HEAD) (https?:\/\/[^/]*)?\/docs(\/errors\/[^\n]*|[?#][^\n]*)?\n/,
    where: '`/docs`, `/docs/errors/…`',
    parts: ['content-security-policy', 'x-frame-options'],
    mock: 'pages of this machine may frame it',
    production: 'no page may frame it',
    reason: 'Previews of editors and component workbenches show an application in a frame.',
    allows: (mock = '', production) =>
      production === 'DENY' ? mock === '' : mock.replace(framedBy, "frame-ancestors 'none'") === production,
  },
  {
    requests: /^\w+ (https?:\/\/[^/]*)?(\/healthz|\/readyz)([?#].*)?\n/,
    where: '`/healthz`, `/readyz`',
    mock: '404',
    production: '200, or 503 where it is not ready',
    reason: 'They are for the monitors of production.',
  },
  {
    requests: /^.* \(not complete\)\n/,
    where: 'a request whose body does not arrive',
    mock: '400, as soon as its client ends the connection',
    production: 'what needs no body (401, 404, 413 and so on) at once, then the same',
    reason: 'The mock reads a request before it answers: its log shows the body.',
  },
  {
    requests: /^\w+ (https?:\/\/[^/]*)?\/?([?#].*)?\n/,
    where: '`/`',
    mock: 'the page of the mock',
    production: '404',
    reason: 'The page controls the mock, as `/__dev/` does.',
  },
]

/** The additional differences if neither mode has a list of allowed origins. */
export const defaultDifferences: AllowedDifference[] = [
  {
    requests: /\r\norigin: http:\/\/(localhost|127\.0\.0\.1)(:\d+)?\r\n/i,
    where: 'a request of a page of this machine at another origin',
    mock: 'the response that the page of an allowed origin gets, with CORS headers',
    production: '403 CROSS_SITE_REFUSED for a change, 405 for a preflight request, no CORS header',
    reason: 'The mock allows the pages of this machine, production none.',
  },
  {
    where: 'every response',
    parts: ['vary'],
    mock: '`Origin`',
    production: 'absent',
    reason: 'Only where origins are allowed do headers depend on the origin.',
    allows: (mock, production) => mock === 'Origin' && production === undefined,
  },
]
