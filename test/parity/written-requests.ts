import { cookieOf } from './start-modes.js'

/** Bytes for a connection, which clients do not send. */
export type RawRequest = {
  title: string
  /** Sent as Latin-1, so that a character below U+0100 is a byte. */
  bytes: string
  /** The statuses of the responses, in order. */
  statuses: number[]
}

const owner = `cookie: ${cookieOf('acme-owner')}`

const message = (line: string, headers: string[] = [], body = '') =>
  [`${line} HTTP/1.1`, 'host: a', ...headers, '', body].join('\r\n')
/** The last of a connection: the server closes it. */
const last = (line: string, headers: string[] = [], body = '') =>
  message(line, ['connection: close', ...headers], body)
const withBody = (line: string, body: string, headers: string[] = []) =>
  last(line, ['content-type: application/json', `content-length: ${body.length}`, ...headers], body)
const chunked = (line: string, body: string) =>
  message(line, [owner, 'content-type: application/json', 'transfer-encoding: chunked'], body)

const fillers = (count: number) => Array<string>(count).fill('a:b')
const id = '018f0000-0000-7000-8000-000000000000'

const oneResponse = (title: string, bytes: string, status: number): RawRequest => ({
  title,
  bytes,
  statuses: [status],
})

/** Requests that Node's parser refuses. */
const refused: RawRequest[] = [
  oneResponse('no HTTP', 'nonsense\r\n\r\n', 400),
  oneResponse('an unknown method', message('BREW /v1/projects'), 400),
  oneResponse('a method in lower case', message('get /v1/projects'), 400),
  oneResponse('an unknown version', 'GET /v1/projects HTTP/9.9\r\nhost: a\r\n\r\n', 400),
  oneResponse('a version without number', 'GET /v1/projects HTTP/\r\nhost: a\r\n\r\n', 400),
  oneResponse('no target', 'GET  HTTP/1.1\r\nhost: a\r\n\r\n', 400),
  oneResponse('a target without a slash', message('GET v1/projects'), 400),
  oneResponse('a space in the target', message('GET /v1/projects x'), 400),
  oneResponse('a byte above ASCII in the target', message('GET /v1/projects/\xff'), 400),
  oneResponse('UTF-8 in the target', message('GET /v1/proj\xc3\xa9cts'), 400),
  oneResponse('a control character in the target', message('GET /v1/\x01'), 400),
  oneResponse('a header without a colon', message('GET /v1/projects', ['no colon']), 400),
  oneResponse('a header with a space in its name', message('GET /v1/projects', ['a b: c']), 400),
  oneResponse('a header with U+0000', message('GET /v1/projects', ['a: b\0c']), 400),
  oneResponse('a folded header', message('GET /v1/projects', ['a: b', ' c']), 400),
  oneResponse('two lengths', message('POST /v1/waitlist', ['content-length: 1', 'content-length: 2']), 400),
  oneResponse('a negative length', message('POST /v1/waitlist', ['content-length: -1']), 400),
  oneResponse(
    'a length and chunks',
    message('POST /v1/waitlist', ['content-length: 5', 'transfer-encoding: chunked'], '0\r\n\r\n'),
    400,
  ),
  oneResponse('an unknown encoding', message('POST /v1/waitlist', ['transfer-encoding: gzip']), 400),
  oneResponse('one header that is too large', message('GET /v1/projects', [`a: ${'b'.repeat(20_000)}`]), 431),
  oneResponse('many headers that are too large', message('GET /v1/projects', fillers(9_000)), 431),
  oneResponse('a target that is too long', message(`GET /v1/${'a'.repeat(20_000)}`), 431),
  oneResponse('a chunk without a length', chunked('POST /v1/projects', 'not a chunk\r\n'), 400),
  oneResponse(
    'a chunk longer than its length',
    chunked('POST /v1/projects', '2\r\n{"name"\r\n0\r\n\r\n'),
    400,
  ),
  oneResponse('a broken chunk of a GET', chunked('GET /v1/projects', 'not a chunk\r\n'), 400),
  oneResponse(
    'chunk extensions that are too large',
    chunked('POST /v1/projects', `2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    413,
  ),
  {
    title: 'no HTTP after two requests',
    bytes: `${message('GET /v1/projects', [owner])}${message('GET /v1/nothing')}nonsense\r\n\r\n`,
    statuses: [200, 404, 400],
  },
]

const hosts: RawRequest[] = [
  oneResponse('no Host', 'GET /v1/projects HTTP/1.1\r\nconnection: close\r\n\r\n', 400),
  oneResponse('no Host with HTTP/1.0', 'GET /v1/projects HTTP/1.0\r\n\r\n', 401),
  oneResponse('two Hosts', last('GET /v1/projects', ['HOST: b', owner]), 400),
  oneResponse('one Host twice', last('GET /v1/projects', ['host: a', owner]), 400),
  oneResponse('two Hosts for the documents', last('GET /openapi.json', ['host: b']), 400),
  oneResponse('two Hosts for the session', last('GET /v1/auth/me', ['host: b', owner]), 400),
  oneResponse('two Hosts for the waitlist', last('POST /v1/waitlist', ['host: b', 'content-length: 0']), 400),
  oneResponse('two Hosts for an unknown path', last('GET /nothing', ['host: b']), 400),
]

const headers: RawRequest[] = [
  oneResponse(
    'JSON first of two content types',
    withBody('POST /v1/projects', '{}', [owner, 'content-type: text/plain']),
    422,
  ),
  oneResponse(
    'JSON second of two content types',
    last(
      'POST /v1/projects',
      ['content-type: text/plain', 'content-type: application/json', 'content-length: 2', owner],
      '{}',
    ),
    415,
  ),
  oneResponse(
    'one content type with two values',
    last(
      'POST /v1/projects',
      ['content-type: application/json, application/json', 'content-length: 2', owner],
      '{}',
    ),
    415,
  ),
  oneResponse('1,500 headers before the cookie', last('GET /v1/projects', [...fillers(1_500), owner]), 200),
  oneResponse('2,500 headers before the cookie', last('GET /v1/projects', [...fillers(2_500), owner]), 200),
  oneResponse(
    '2,500 headers between two cookies',
    last('GET /v1/projects', [owner, ...fillers(2_500), owner]),
    401,
  ),
  oneResponse(
    '2,500 headers before the Origin',
    last('POST /v1/projects', [owner, ...fillers(2_500), 'origin: https://elsewhere.example']),
    403,
  ),
  oneResponse('two Cookie headers', last('GET /v1/projects', [owner, 'cookie: theme=dark']), 200),
  oneResponse('a header with bytes above ASCII', last('GET /v1/projects', [owner, 'a: \xff\xe9']), 200),
  oneResponse(
    'a header called __proto__',
    last('GET /v1/projects', [owner, '__proto__: a', 'constructor: b']),
    200,
  ),
  oneResponse(
    'an Expect header of an unknown value',
    last('GET /v1/projects', [owner, 'expect: miracles']),
    200,
  ),
  oneResponse('an Upgrade header', last('GET /v1/projects', [owner, 'upgrade: websocket']), 200),
  {
    title: 'Expect: 100-continue',
    bytes: withBody('POST /v1/waitlist', '{"email":5}', ['expect: 100-continue']),
    statuses: [100, 422],
  },
  {
    title: 'Expect: 100-continue within a pipeline',
    bytes:
      message('GET /v1/projects', [owner]) +
      withBody('POST /v1/waitlist', '{"email":5}', ['expect: 100-continue']),
    statuses: [200, 422],
  },
]

/** Requests for targets that a URL parser would change, with their status for a caller who may do everything. */
const targets: RawRequest[] = (
  [
    ['GET', '/v1/projects/../auth/me', 404],
    ['GET', '/v1/./projects', 404],
    ['GET', '/./v1/projects', 404],
    ['GET', '/nothing/../v1/projects', 404],
    ['GET', '/v1/projects/..', 405],
    ['GET', '/v1/projects/.', 405],
    ['GET', '/v1/projects/%2e%2e', 405],
    ['GET', '/v1/%2e%2e/v1/projects', 404],
    ['GET', '/v1\\projects', 404],
    ['GET', '\\v1\\projects', 400],
    ['GET', '/v1/projects\\', 404],
    ['GET', '//v1/projects', 404],
    ['GET', '//elsewhere.example/v1/projects', 404],
    ['GET', '/v1/projects/', 405],
    ['GET', '/v1/projects?a=/../b', 200],
    ['GET', '/v1/projects#fragment', 200],
    ['GET', '/v1/projects;a=b', 404],
    ['GET', '/v1/pro%6Aects', 200],
    ['GET', '/v1%2Fprojects', 404],
    ['GET', '/v1/"<>^`{|}', 404],
    ['GET', '*', 404],
    ['OPTIONS', '*', 404],
    ['GET', 'http://elsewhere.example/v1/projects', 200],
    ['GET', 'HTTP://elsewhere.example/v1/projects?a=b', 200],
    ['GET', 'http://elsewhere.example/v1/x/../projects', 404],
    ['DELETE', 'http://elsewhere.example/v1/projects?a=b', 405],
    ['GET', 'http://a@b:99999/v1/projects', 200],
    ['GET', 'http://', 404],
    ['GET', 'http://%zz', 404],
    ['GET', 'ftp://elsewhere.example/v1/projects', 404],
    ['TRACE', '/v1/projects', 405],
    ['PURGE', '/v1/projects', 405],
    ['PROPFIND', '/nothing', 404],
  ] satisfies [string, string, number][]
).map(([method, target, status]) =>
  oneResponse(`${method} ${target}`, last(`${method} ${target}`, [owner]), status),
)

/** Project ids that a URL parser would change. */
const ids: RawRequest[] = (
  [
    ['/v1/projects/.', 404],
    ['/v1/projects/..', 404],
    ['/v1/projects/%2e%2e', 404],
    ['/v1/projects/a\\b', 404],
    ['/v1/projects/a\\..\\b', 404],
    ['/v1/projects/{a}', 404],
    ['/v1/projects/..%2fauth%2fme', 404],
    ['/v1/projects/', 400],
    ['/v1/projects/%09', 400],
    [`/v1/x/../projects/${id}`, 404],
  ] satisfies [string, number][]
).map(([target, status]) =>
  oneResponse(`PATCH ${target}`, withBody(`PATCH ${target}`, '{}', [owner]), status),
)

const connect: RawRequest[] = [
  oneResponse('CONNECT', 'CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n', 405),
  {
    title: 'CONNECT after two requests',
    bytes: `${message('GET /v1/projects', [owner])}${message('GET /v1/auth/me')}CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n`,
    statuses: [200, 401, 405],
  },
]

/** Requests that both modes answer with the same status and the same bytes of body. */
export const writtenRequests: RawRequest[] = [
  ...refused,
  ...hosts,
  ...headers,
  ...targets,
  ...ids,
  ...connect,
]
