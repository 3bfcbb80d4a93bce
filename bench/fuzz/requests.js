// Random requests for a server under test, most of them invalid.

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const hostile = [
  '\0',
  '\x7f',
  '\u202e',
  '\ud800',
  'ß',
  '🙈',
  '"',
  '\\',
  '\n',
  '%',
  '{',
  '__proto__',
  'a'.repeat(300),
]

const paths = [
  '/v1/projects',
  '/v1/projects',
  '/v1/auth/me',
  '/v1/waitlist',
  '/v1/projects/018f0000-0000-7000-8000-000000000001',
  '/auth/sign-in',
  '/auth/sign-out',
  '/docs',
  '/docs/errors/auth-required',
  '/openapi.json',
  '/healthz',
  '/nothing-here',
]
const methods = ['GET', 'POST', 'PATCH', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PURGE', 'TRACE']
const operations = [
  'GET /v1/projects',
  'POST /v1/projects',
  `PATCH ${paths[4]}`,
  'GET /v1/auth/me',
  'POST /v1/waitlist',
]
const bodies = [
  '{"name":"Roadmap"}',
  '{"name":"Roadmap","description":"A"}',
  '{"status":"paused"}',
  '{"email":"you@example.com"}',
  '{}',
  '[]',
  'null',
  '"',
  '{"name":5}',
  '{"__proto__":{"name":"x"}}',
  '\ufeff{}',
  '{"name":"\\ud800"}',
  '{"email":"A@B@c"}',
]
const contentTypes = [
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'text/plain',
  'application/json, application/json',
  '',
  'multipart/form-data; boundary=x',
]

/**
 * @param random see random.js
 * @param cookies Cookie headers, some of them valid
 * @returns `framed()`, a request that gets exactly one response, and `broken()`, bytes that may get any number of responses
 */
export function createRequests(random, cookies) {
  const { below, chance, pick, text } = random

  const mutatedText = (value) => {
    const at = below(value.length + 1)
    const insert = chance(0.5) ? pick(hostile) : text(1 + below(5), letters)
    return value.slice(0, at) + insert + value.slice(at + below(4))
  }
  const encoded = (path) =>
    path.replace(/[^!-~]/gu, (char) => (char.isWellFormed() ? encodeURIComponent(char) : '%ED%A0%80'))

  const path = () => {
    const known = pick(paths)
    if (chance(0.6)) return known
    return pick([
      () =>
        `${known}/${pick(['%zz', '%2e%2e', '..', '%00', '%20', '%F0%9F%99%88', 'a'.repeat(below(3000))])}`,
      () => `${known}?${text(below(60), `${letters}=&%`)}`,
      () => encoded(mutatedText(known)),
      () => `http://127.0.0.1${known}`,
      () => `//${known}`,
      () => known.replaceAll('/', '%2F'),
    ])()
  }

  const body = () => {
    if (chance(0.4)) return Buffer.from(pick(bodies))
    return pick([
      () => Buffer.from(mutatedText(pick(bodies)), chance(0.2) ? 'latin1' : 'utf8'),
      () => Buffer.from(JSON.stringify({ name: text(1 + below(2000), letters) + pick(hostile) })),
      () => Buffer.from(`${'['.repeat(below(20_000))}`),
      () => Buffer.from(`{"name":"${'a'.repeat(64_000 + below(3000))}"}`),
      () => Buffer.from(Array.from({ length: below(40) }, () => below(256))),
      () =>
        Buffer.from(
          JSON.stringify({ email: `${text(below(80), `${letters}@. `)}@${text(5, letters)}.example` }),
        ),
    ])()
  }

  const chunked = (bytes) => {
    const parts = []
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + below(bytes.length - at)
      parts.push(Buffer.from(`${size.toString(16)}\r\n`), bytes.subarray(at, at + size), Buffer.from('\r\n'))
      at += size
    }
    return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
  }

  /** A request with correct framing, whose content may be invalid. */
  const framed = () => {
    const [method, target] = chance(0.6) ? pick(operations).split(' ') : [pick(methods), path()]
    const lines = [`${method} ${target} HTTP/1.1`, 'Host: 127.0.0.1']
    if (chance(0.8))
      lines.push(`Cookie: ${chance(0.6) ? pick(cookies) : encoded(mutatedText(pick(cookies)))}`)
    if (chance(0.1)) lines.push(`Origin: ${pick(['https://evil.example', 'null', 'http://127.0.0.1', 'x'])}`)
    if (chance(0.05)) lines.push(`Sec-Fetch-Site: ${pick(['cross-site', 'same-origin', 'none', 'x'])}`)
    if (chance(0.05)) lines.push(`X-Request-Id: ${encoded(text(below(90), `${letters}-_.@`))}`)
    if (chance(0.05)) lines.push(`If-None-Match: ${pick(['*', '"x"', 'W/"x"'])}`)
    for (let more = chance(0.05) ? below(60) : 0; more > 0; more -= 1)
      lines.push(`X-${more}: ${text(9, letters)}`)
    let bytes = Buffer.alloc(0)
    if (!/^(GET|HEAD|OPTIONS)$/.test(method) || chance(0.02)) {
      bytes = body()
      const type = pick(contentTypes)
      if (type) lines.push(`Content-Type: ${type}`)
      if (chance(0.2)) {
        bytes = chunked(bytes)
        lines.push('Transfer-Encoding: chunked')
      } else {
        lines.push(`Content-Length: ${bytes.length}`)
      }
    }
    return { method, bytes: Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]) }
  }

  /** Some requests with bytes changed, removed, repeated or cut off. */
  const broken = () => {
    let bytes = Buffer.concat(Array.from({ length: 1 + below(3) }, () => framed().bytes.subarray(0, 8_000)))
    if (chance(0.3)) bytes = inserted(bytes, pick(brokenLines))
    for (let times = below(6); times > 0; times -= 1) {
      const at = below(bytes.length)
      const until = Math.min(bytes.length, at + 1 + below(20))
      bytes = pick([
        () => Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256)]), bytes.subarray(at + 1)]),
        () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(until)]),
        () => Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)]),
        () =>
          Buffer.concat([bytes.subarray(0, at), Buffer.from([below(256), below(256)]), bytes.subarray(at)]),
      ])()
    }
    return chance(0.2) ? bytes.subarray(0, below(bytes.length)) : bytes
  }
  /** Inserts a header line after the first line. */
  const inserted = (bytes, line) => {
    const end = bytes.indexOf('\r\n') + 2
    return Buffer.concat([bytes.subarray(0, end), Buffer.from(`${line}\r\n`, 'latin1'), bytes.subarray(end)])
  }
  const brokenLines = [
    'Host: twice.example',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding: identity',
    ' folded: line',
    'No colon',
    'Expect: 100-continue',
    'Expect: something',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Connection: close',
    `X-Large: ${'x'.repeat(20_000)}`,
    'Bad\0Name: x',
  ]

  return { framed, broken }
}
