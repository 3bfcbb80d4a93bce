import { cookieOf } from './start-modes.js'

/** Bytes that clients do not send, as Latin-1: a character below U+0100 is a byte; and the statuses of the responses. */
export type RawRequest = [title: string, bytes: string, ...statuses: number[]]

const owner = `cookie: ${cookieOf('acme-owner')}`
const json = 'content-type: application/json'
const chunks = 'transfer-encoding: chunked'

const message = (line: string, headers: string[] = [], body = '') =>
  [`${line} HTTP/1.1`, 'host: a', ...headers, '', body].join('\r\n')
/** The last request of a connection: the server closes it. */
const last = (line: string, headers: string[] = [], body = '') =>
  message(line, ['connection: close', ...headers], body)
const withBody = (line: string, body: string, headers: string[] = []) =>
  last(line, [json, `content-length: ${body.length}`, ...headers], body)
const chunked = (line: string, body: string, ...headers: string[]) =>
  last(line, [owner, json, chunks, ...headers], body)
const fillers = (count: number) => Array<string>(count).fill('a:b')
const id = '018f0000-0000-7000-8000-000000000000'
const name = '{"name":"Roadmap"}'
const list = 'GET /v1/projects'
const create = 'POST /v1/projects'
const join = 'POST /v1/waitlist'
const ofLength = (...lengths: string[]) =>
  last(create, [owner, json, ...lengths.map((length) => `content-length: ${length}`)], name)

/** Requests that Node's parser refuses. */
const refused: RawRequest[] = [
  ['no HTTP', 'nonsense\r\n\r\n', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['an unknown method', message('BREW /v1/projects'), 400],
  ['a method in lower case', message('get /v1/projects'), 400],
  ['an unknown version', 'GET /v1/projects HTTP/9.9\r\nhost: a\r\n\r\n', 400],
  ['no version, as HTTP/0.9', 'GET /v1/projects\r\n\r\n', 401],
  ['no target', 'GET  HTTP/1.1\r\nhost: a\r\n\r\n', 400],
  ['a target without a slash', message('GET v1/projects'), 400],
  ['a space in the target', message('GET /v1/projects x'), 400],
  ['UTF-8 in the target', message('GET /v1/proj\xc3\xa9cts'), 400],
  ['a control character in the target', message('GET /v1/\x01'), 400],
  ['a header without a colon', message(list, ['no colon']), 400],
  ['a header without a name', message(list, [': empty']), 400],
  ['a header with a space in its name', message(list, ['a b: c']), 400],
  ['a header with U+0000', message(list, ['a: b\0c']), 400],
  ['a folded header', message(list, ['a: b', ' c']), 400],
  ['two lengths', ofLength('1', '2'), 400],
  ['one length twice', ofLength('18', '18'), 400],
  ['a negative length', ofLength('-1'), 400],
  ['a length with a sign', ofLength('+18'), 400],
  ['a hexadecimal length', ofLength('0x12'), 400],
  ['an empty length', ofLength(''), 400],
  ['a length and chunks', message(join, ['content-length: 5', chunks], '0\r\n\r\n'), 400],
  ['an unknown encoding', message(join, ['transfer-encoding: gzip']), 400],
  ['chunks that are compressed', message(join, ['transfer-encoding: chunked, gzip'], '0\r\n\r\n'), 400],
  ['one header that is too large', message(list, [`a: ${'b'.repeat(20_000)}`]), 431],
  ['many headers that are too large', message(list, fillers(9_000)), 431],
  ['a target that is too long', message(`GET /v1/${'a'.repeat(20_000)}`), 431],
  ['a chunk without a length', chunked(create, 'not a chunk\r\n'), 400],
  ['a chunk longer than its length', chunked(create, '2\r\n{"name"\r\n0\r\n\r\n'), 400],
  ['a broken chunk of a GET', chunked(list, 'not a chunk\r\n'), 400],
  ['chunk extensions that are too large', chunked(create, `2;${'e'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), 413],
  [
    'no HTTP after two requests',
    `${message(list, [owner])}${message('GET /v1/nothing')}nonsense\r\n\r\n`,
    ...[200, 404, 400],
  ],
]

const hosts: RawRequest[] = [
  ['no Host', 'GET /v1/projects HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['no Host with HTTP/1.0', 'GET /v1/projects HTTP/1.0\r\n\r\n', 401],
  ['two Hosts', last(list, ['HOST: b', owner]), 400],
  ['one Host twice', last(list, ['host: a', owner]), 400],
  ['two Hosts for the documents', last('GET /openapi.json', ['host: b']), 400],
  ['two Hosts for the session', last('GET /v1/auth/me', ['host: b', owner]), 400],
  ['two Hosts for the waitlist', last(join, ['host: b', 'content-length: 0']), 400],
  ['two Hosts for an unknown path', last('GET /nothing', ['host: b']), 400],
]

const headers: RawRequest[] = [
  ['JSON first of two content types', withBody(create, '{}', [owner, 'content-type: text/plain']), 422],
  [
    'JSON second of two content types',
    last(create, ['content-type: text/plain', json, 'content-length: 2', owner], '{}'),
    415,
  ],
  [
    'one content type with two values',
    last(create, [`${json}, application/json`, 'content-length: 2', owner], '{}'),
    415,
  ],
  ['2,500 headers before the cookie', last(list, [...fillers(2_500), owner]), 200],
  ['2,500 headers between two cookies', last(list, [owner, ...fillers(2_500), owner]), 401],
  [
    '2,500 headers before the Origin',
    last(create, [owner, ...fillers(2_500), 'origin: https://elsewhere.example']),
    403,
  ],
  ['two Cookie headers', last(list, [owner, 'cookie: theme=dark']), 200],
  ['a header with bytes above ASCII', last(list, [owner, 'a: \xff\xe9']), 200],
  ['a header called __proto__', last(list, [owner, '__proto__: a', 'constructor: b']), 200],
  ['an Expect header of an unknown value', last(list, [owner, 'expect: miracles']), 200],
  ['an Upgrade header', last(list, [owner, 'upgrade: websocket']), 200],
  ['a body of a GET', last(list, [owner, 'content-length: 3'], 'abc'), 200],
  ['chunks with an extension', chunked(create, `12;a=b\r\n${name}\r\n0\r\n\r\n`), 201],
  [
    'chunks with a trailer',
    chunked(create, `12\r\n${name}\r\n0\r\nX-After: a\r\n\r\n`, 'trailer: X-After'),
    201,
  ],
  ['Expect: 100-continue', withBody(join, '{"email":5}', ['expect: 100-continue']), 100, 422],
  [
    'Expect: 100-continue within a pipeline',
    message(list, [owner]) + withBody(join, '{"email":5}', ['expect: 100-continue']),
    ...[200, 422],
  ],
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
).map(([method, target, status]) => [`${method} ${target}`, last(`${method} ${target}`, [owner]), status])

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
).map(([target, status]) => [`PATCH ${target}`, withBody(`PATCH ${target}`, '{}', [owner]), status])

const connect: RawRequest[] = [
  ['CONNECT', 'CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n', 405],
  [
    'CONNECT after two requests',
    `${message(list, [owner])}${message('GET /v1/auth/me')}CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n`,
    ...[200, 401, 405],
  ],
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
