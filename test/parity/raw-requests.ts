import { createRandom } from '../../bench/fuzz/random.js'
import { createRequests } from '../../bench/fuzz/requests.js'
import { cookieOf } from './start-modes.js'

// Requests that no HTTP client sends, beside those of written-requests.ts.

const cookie = `Cookie: ${cookieOf('acme-owner')}`
const message = (line: string, headers: string[] = [], body = '') =>
  [`${line} HTTP/1.1`, 'Host: a', ...headers, '', body].join('\r\n')
const get = (target: string, ...headers: string[]) => message(`GET ${target}`, headers)
const json = '{"name":"Roadmap"}'
const post = (headers: string[], body = json) =>
  message('POST /v1/projects', [cookie, 'Content-Type: application/json', ...headers], body)
const length = `Content-Length: ${json.length}`
const chunked = 'Transfer-Encoding: chunked'
const chunks = `12\r\n${json}\r\n0\r\n\r\n`
/** The first bytes of a request whose body does not arrive. */
const begun = (line: string, ...headers: string[]) =>
  message(line, ['Content-Type: application/json', 'Content-Length: 9', ...headers], '{')

/** One character for each byte. */
const texts = [
  // Bytes that are hardly HTTP
  '',
  '\r\n\r\nGET /v1/projects HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /v1/projects\r\n\r\n',
  'GET /v1/projects HTTP/1.1\nHost: a\n\n',
  'GET /v1/projects HTTP/1.1\r\nHos',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  // Hosts and targets
  'GET /v1/projects HTTP/1.1\r\nHost:\r\n\r\n',
  'GET /v1/projects HTTP/1.1\r\nHost: "><script>\r\n\r\n',
  'GET /v1/nothing HTTP/1.1\r\nHost: a/b\r\n\r\n',
  'GET /v1/nothing HTTP/1.1\r\nHost: a b:99999\r\n\r\n',
  ...['a:80', '?x', '#', 'http://a', '///', 'http://[::1/v1'].map((target) => get(target, cookie)),
  get(`/v1/projects/${'a'.repeat(15_000)}`, cookie),
  // Headers
  get('/v1/projects', cookie, ': empty'),
  get('/v1/projects', cookie, 'Origin: a', 'Origin: b'),
  get('/v1/projects', cookie, 'Connection: close'),
  get('/v1/projects', 'Cookie: session=\xe9', cookie),
  get(
    '/v1/projects',
    cookie,
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABk',
  ),
  // Bodies
  message('GET /v1/projects', [cookie, 'Content-Length: 3'], 'abc'),
  message('HEAD /v1/projects', [cookie, 'Content-Length: 3'], 'abc'),
  message('OPTIONS /v1/projects', ['Content-Length: 3'], 'abc'),
  post([length, length]),
  post([`Content-Length: ${json.length}, ${json.length}`]),
  post(['Content-Length: +18']),
  post(['Content-Length: 0x12']),
  post(['Content-Length: 99999999999999999999']),
  post(['Content-Length: ']),
  post(['Transfer-Encoding: identity']),
  post(['Transfer-Encoding: gzip, chunked'], chunks),
  post(['Transfer-Encoding: chunked, gzip'], chunks),
  post([chunked], chunks),
  post([chunked, 'Trailer: X-After'], `12\r\n${json}\r\n0\r\nX-After: a\r\n\r\n`),
  post([chunked], `12;a=b\r\n${json}\r\n0\r\n\r\n`),
  post(['Content-Length: 70011'], `{"name":"${'a'.repeat(70_000)}"}`),
  post([chunked], `1117b\r\n{"name":"${'a'.repeat(70_000)}"}\r\n0\r\n\r\n`),
  post([length], '{"name":'),
  post([length, 'Expect: 100-continue'], ''),
  post([chunked], '5\r\n{"nam\r\n'),
  begun('POST /v1/projects'),
  begun('POST /v1/waitlist'),
  begun('PUT /v1/projects'),
  begun('POST /nothing'),
  begun('POST /v1/projects', 'Origin: https://evil.example'),
  // Pipelines
  get('/v1/auth/me', cookie) + message('HEAD /v1/projects', [cookie]) + get('/nothing'),
  get('/v1/auth/me', cookie, 'Connection: close') + get('/v1/projects', cookie),
  // What one mode has alone
  get('/'),
  get('/healthz'),
  get('/readyz'),
]

/** @param seed repeats the mutated requests, which follow the written ones */
export function rawRequests(seed: number, count: number): Buffer[] {
  const random = createRandom(seed)
  const { framed } = createRequests(
    random,
    ['acme-owner', 'globex-owner', 'no-team', 'expired'].map(cookieOf),
  )
  // Several requests of a connection run concurrently. Without a permission none changes what another one shows.
  const { broken } = createRequests(random, ['acme-viewer', 'no-organization', 'expired'].map(cookieOf))
  return [
    ...texts.map((text) => Buffer.from(text, 'latin1')),
    ...Array.from({ length: count }, (_, i) => (i % 2 === 0 ? framed().bytes : broken())),
  ]
}
