import fc from 'fast-check'
import demo from '../../fixtures/demo.json' with { type: 'json' }
import { type Caller, callers } from '../../src/conformance/callers.js'
import type { CaseRequest } from '../../src/conformance/case.js'
import { toSent } from '../../src/conformance/play.js'
import { bundle, create, join, list, update, utf8 } from '../../src/conformance/requests.js'
import type { SentRequest } from '../../src/conformance/target.js'
import { cookieOf } from './start-modes.js'

export const host = 'dashboard.example'

/** A request of a caller as bytes, after whose response the server closes the connection. */
export const bytesOf = (request: CaseRequest, version?: string): Buffer =>
  bytesOfSent(
    toSent({ baseUrl: `http://${host}` }, request, (as) => cookieOf(callers[as].persona)),
    version,
  )

/** A request with all its headers as bytes. */
export function bytesOfSent(
  { method, path, headers, body, chunked }: SentRequest,
  version = 'HTTP/1.1',
): Buffer {
  const hasLength = body || !/^(GET|HEAD|OPTIONS)$/.test(method)
  const framing = chunked ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${body?.length ?? 0}`]
  const lines = [
    `${method} ${path} ${version}`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(chunked || hasLength ? framing : []),
    'Connection: close',
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (!body) return head
  const chunk = `${body.length.toString(16)}\r\n`
  return Buffer.concat(chunked ? [head, Buffer.from(chunk), body, utf8('\r\n0\r\n\r\n')] : [head, body])
}

const oneOf = <Value>(...choices: [weight: number, arbitrary: fc.Arbitrary<Value>][]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
const constant = fc.constantFrom

// Half of the callers have all permissions, so that many calls succeed.
const caller = fc.oneof(
  constant<Caller>('owner', 'member', 'other-owner'),
  constant<Caller | undefined>('owner', 'viewer', 'no-organization', 'no-team', 'expired', undefined),
)

/** A few names, so that conflicts occur, and any strings, including lone surrogates and U+0000. */
const text = oneOf(
  [6, constant('a', 'A', 'ä', 'A\u0308', 'straße', 'STRASSE', 'οδος', 'ΟΔΟΣ', 'ı', 'I', 'Mobile app')],
  [2, fc.string({ unit: 'grapheme', maxLength: 8 })],
  [1, constant('', '\u0000', '\ud800', ' ', '__proto__')],
)
/** A body, mostly of the right shape. */
const bodyOf = (...fields: string[]): fc.Arbitrary<unknown> =>
  oneOf<unknown>(
    [6, fc.record(Object.fromEntries(fields.map((name) => [name, text])), { requiredKeys: [] })],
    [2, fc.dictionary(constant(...fields, 'id', '__proto__', ''), fc.oneof(text, fc.jsonValue()))],
    [1, fc.jsonValue({ maxDepth: 2 })],
  )

/** An id, by the projects that the sequence has created. */
const id = oneOf<(createdIds: readonly string[]) => string>(
  [4, fc.nat(7).map((i) => (createdIds) => createdIds[i % createdIds.length] ?? 'none yet')],
  [4, constant(...demo.projects.map((project) => () => project.id))],
  [2, constant('', '%20', 'unknown', 'a%2Fb', '__proto__', '%zz', '..').map((segment) => () => segment)],
)
const email = fc.oneof(
  fc.record({ email: fc.oneof(fc.emailAddress(), constant(' Grace@Example.com ', 'grace@example.com')) }),
  bodyOf('email'),
)
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 12 }),
  constant('', '{', '{}', '[]', '{"name":"x"}', '{"email":"x@example.com"}', '\ufeff{}').map(utf8),
)
const type = constant('application/json', 'Application/JSON; charset=utf-8', 'text/plain', null)

type Call = (createdIds: readonly string[]) => CaseRequest
const call = oneOf<Call>(
  [2, caller.map((as) => () => list(as))],
  [2, caller.map((as) => () => bundle(as))],
  [
    5,
    fc.tuple(caller, bodyOf('name', 'description')).map(
      ([as, json]) =>
        () =>
          create(as, json),
    ),
  ],
  [
    5,
    fc.tuple(caller, id, bodyOf('name', 'description', 'status')).map(
      ([as, of, json]) =>
        (createdIds) =>
          update(as, of(createdIds), json),
    ),
  ],
  [2, email.map((json) => () => join(json))],
  [
    2,
    fc
      .tuple(constant(create('owner'), update('owner', demo.projects[0]?.id ?? ''), join()), bytes, type)
      .map(([to, bytes, type]) => () => ({ ...to, bytes, type })),
  ],
)

const sometimes = (weight: number, ...values: string[]) =>
  oneOf<string | undefined>([weight, constant(...values)], [20 - weight, constant(undefined)])
const owner = cookieOf('acme-owner')

/** Changes of a request; undefined leaves a part unchanged. */
const changes = fc.record({
  method: sometimes(2, 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'PURGE', 'GET', 'POST', 'PATCH'),
  path: sometimes(
    4,
    ...['/v1/projects/', '/V1/projects', '/v1/projects/%zz', '/v1/projects/%00', '/v1/projects/../auth/me'],
    ...[
      '/v1/projects\\..\\auth\\me',
      '*',
      'http://other.example/v1/projects',
      '/v1/%70rojects',
      '/v1/auth/me/',
    ],
    ...['/v1', '/', '/docs', '/docs/?x', '/openapi.json', '/docs/errors/auth-required', '/docs/errors/none'],
    ...['/favicon.ico', '/%zz', '/v1/projects?a#part'],
  ),
  query: sometimes(3, '?', '?a=1&b=%20', '?%zz', '?a?b', '?returnTo=/x', '?__proto__=1'),
  origin: sometimes(3, `http://${host}`, 'http://localhost:5173', 'https://evil.example', 'null', '', 'x'),
  'sec-fetch-site': sometimes(3, 'same-origin', 'same-site', 'cross-site', 'none', '', 'x'),
  'content-type': sometimes(
    2,
    ...['application/json', 'application/json; charset=latin1', 'application/json;', 'application/jsonp'],
    ...['application/json, text/plain', 'multipart/form-data; boundary=x', ''],
  ),
  'if-none-match': sometimes(1, '*', '"x"'),
  'x-request-id': sometimes(1, 'given-id', 'not an id', 'a'.repeat(65)),
  'access-control-request-method': sometimes(2, 'PATCH', 'GET', 'x'),
  'access-control-request-headers': sometimes(1, 'content-type', 'x-other, content-type'),
  'x-http-method-override': sometimes(1, 'DELETE'),
  expect: sometimes(1, '100-continue', 'something'),
  cookie: sometimes(
    2,
    ...['session=unknown', 'session=', 'session', `a="b"; ${owner}`, owner.slice(0, -1)],
    ...[`${owner}; ${cookieOf('globex-owner')}`, `${owner};session=`, `session=%zz; ${owner}`],
    ...[
      owner.replace('=', '="').concat('"'),
      owner.replace('session=', 'session = '),
      owner.replace('.', '%2E'),
    ],
  ),
  version: sometimes(1, 'HTTP/1.0'),
})

/** Requests of any caller, which may use the ids of projects created before. In some a part is changed. */
export const generatedRequest = fc
  .tuple(call, fc.option(changes, { freq: 2 }))
  .map(([makeRequest, change]) => (createdIds: readonly string[]): Buffer => {
    const request = makeRequest(createdIds)
    if (!change) return bytesOf(request)
    const { method = request.method, path = request.path, query = '', cookie, version, ...headers } = change
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return bytesOf(
      {
        ...request,
        method,
        path: path + query,
        ...(cookie !== undefined && { cookies: [cookie] }),
        headers: { ...request.headers, ...Object.fromEntries(given) },
      },
      version,
    )
  })
