import fc from 'fast-check'
import { callers } from '../../src/conformance/callers.js'
import type { CaseRequest } from '../../src/conformance/case.js'
import { toSent } from '../../src/conformance/play.js'
import type { SentRequest } from '../../src/conformance/target.js'
import { call } from './sequences.js'
import { cookieOf } from './start-modes.js'

export const host = 'dashboard.example'

/** A request of a caller as bytes. */
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
  const framing = chunked
    ? ['Transfer-Encoding: chunked']
    : body || !/^(GET|HEAD|OPTIONS)$/.test(method)
      ? [`Content-Length: ${body?.length ?? 0}`]
      : []
  const lines = [
    `${method} ${path} ${version}`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...framing,
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (!body) return head
  if (!chunked) return Buffer.concat([head, body])
  return Buffer.concat([
    head,
    Buffer.from(`${body.length.toString(16)}\r\n`),
    body,
    Buffer.from('\r\n0\r\n\r\n'),
  ])
}

const sometimes = <Value>(weight: number, ...values: Value[]): fc.Arbitrary<Value | undefined> =>
  fc.oneof(
    { weight, arbitrary: fc.constantFrom(...values) },
    { weight: 20 - weight, arbitrary: fc.constant(undefined) },
  )

const oddPaths = [
  '/v1/projects/',
  '//v1/projects',
  '/V1/projects',
  '/v1//projects',
  '/v1/projects/%zz',
  '/v1/projects/%',
  '/v1/projects/%C3',
  '/v1/projects/%00',
  '/v1/projects/..',
  '/v1/projects/.',
  '/v1/projects/../auth/me',
  '/v1/projects/%2e%2e',
  '/v1/./projects',
  '/v1/projects\\',
  '/v1/projects\\..\\auth\\me',
  '/v1\\projects',
  '*',
  '/v1/projects/*',
  'http://other.example/v1/projects',
  'https://dashboard.example/v1/auth/me?x=1',
  'http://dashboard.example',
  '/v1/projects;a=1',
  '/v1/%70rojects',
  '/v1/auth/me/',
  '/v1/auth/ME',
  '/v1/waitlist/x',
  '/v1',
  '/v1/',
  '/v1?x',
  '/docs',
  '/docs/',
  '/docs?x=1',
  '/openapi.json',
  '/docs/errors/auth-required',
  '/docs/errors/project-not-found?x',
  '/docs/errors/AUTH_REQUIRED',
  '/docs/errors/',
  '/docs/errors/none-such',
  '/docs/errors/%zz',
  '/favicon.ico',
  '/%zz',
  '/nothing',
  '/v1/projects#part',
  '/v1/projects?a#part',
]
const methods = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'PURGE', 'QUERY', 'GET', 'POST', 'PATCH']

/** What is changed of a request; undefined leaves a part as it is. */
const changes = fc.record({
  method: sometimes(2, ...methods),
  path: sometimes(4, ...oddPaths),
  query: sometimes(3, '?', '?a=1&b=%20', '?%zz', '?a?b', '?returnTo=/x', '?__proto__=1'),
  origin: sometimes(
    3,
    `http://${host}`,
    `https://${host}`,
    'http://localhost:5173',
    'http://localhost:3000',
    'https://evil.example',
    'null',
    '',
    'x',
  ),
  'sec-fetch-site': sometimes(3, 'same-origin', 'same-site', 'cross-site', 'none', '', 'x'),
  'content-type': sometimes(
    2,
    'application/json',
    'APPLICATION/JSON;charset=utf-8',
    'application/json; charset=latin1',
    'application/json;',
    'application/jsonp',
    'application/problem+json',
    'application/json, text/plain',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    '',
  ),
  accept: sometimes(1, 'text/html', 'application/json', '*/*'),
  'if-none-match': sometimes(1, '*', '"x"', 'W/"x"'),
  'x-request-id': sometimes(1, 'given-id', 'not an id', 'a'.repeat(65)),
  'access-control-request-method': sometimes(2, 'PATCH', 'GET', 'x'),
  'access-control-request-headers': sometimes(1, 'content-type', 'x-other, content-type'),
  'x-forwarded-for': sometimes(1, '10.0.0.1'),
  'x-http-method-override': sometimes(1, 'DELETE'),
  expect: sometimes(1, '100-continue', 'something'),
  range: sometimes(1, 'bytes=0-1'),
  cookie: sometimes(
    2,
    'session=unknown',
    'session=',
    'session',
    'SESSION=x',
    'a=b; c=d',
    `a="b"; ${cookieOf('acme-owner')}`,
    `${cookieOf('acme-owner')}; ${cookieOf('globex-owner')}`,
    `${cookieOf('acme-owner')};session=`,
    ` ;; ${cookieOf('acme-viewer')} ; x`,
    cookieOf('acme-owner').replace('=', '="').concat('"'),
    cookieOf('acme-owner').slice(0, -1),
    cookieOf('acme-owner').replace('session=', 'session = '),
    cookieOf('acme-owner').replace('.', '%2E'),
    `session=%zz; ${cookieOf('acme-owner')}`,
  ),
  version: sometimes(1, 'HTTP/1.0'),
})

/** A generated request. It may use the ids of the projects that were created before. */
export type GeneratedRequest = (createdIds: readonly string[]) => Buffer

/** Requests of any caller: many of them valid, the others with any part changed. */
export const generatedRequest: fc.Arbitrary<GeneratedRequest> = fc
  .tuple(call, fc.option(changes, { freq: 2 }))
  .map(([{ request: makeRequest }, change]) => (createdIds) => {
    const request = makeRequest(createdIds)
    if (!change) return bytesOf(request)
    const { method = request.method, path = request.path, query = '', cookie, version, ...headers } = change
    return bytesOf(
      {
        ...request,
        method,
        path: path + query,
        ...(cookie !== undefined && { cookies: [cookie] }),
        headers: { ...request.headers, ...definedOf(headers) },
      },
      version,
    )
  })

const definedOf = (headers: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
