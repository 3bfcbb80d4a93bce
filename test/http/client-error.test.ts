import { expect, it } from 'vitest'
import { listen, request } from '../server/http/raw-requests.js'
import { lastResponse } from '../server/server-harness.js'

// Section 7: every error of the session and the waitlist has the short body, even errors of Node's parser.

const short = { error: expect.any(String) }
const docsUrl = expect.stringMatching(/^http:\/\/127.*\/docs\/errors\/validation-failed$/)
const full = { ...short, code: 'VALIDATION_FAILED', docsUrl }
const chunked = ['transfer-encoding: chunked', 'content-type: application/json']
const pipelined = request('GET /healthz')

it.each([
  ['GET /v1/auth/me HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', 400, short],
  ['GET /v1/auth/me?x=1 HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', 400, short],
  ['GET http://a/v1/auth/me HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', 400, short],
  [`GET /v1/auth/me HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, short],
  ['BREW /v1/waitlist HTTP/1.1\r\nhost: a\r\n\r\n', 400, short],
  ['GET /v1/auth/me HTTP/9\r\n\r\n', 400, short],
  [request('POST /v1/waitlist', chunked, 'not a chunk\r\n'), 400, short],
  [request('POST /v1/waitlist', chunked, `1;${'x'.repeat(20_000)}\r\na\r\n`), 413, short],
  [`${pipelined}GET /v1/auth/me HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n`, 400, short],
  [`${request('GET /v1/auth/me')}GET /v1/projects HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n`, 400, full],
  ['GET /v1/projects HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n', 400, full],
  ['POST /v1/projects HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400, full],
  ['GET /v1/projects HTTP/1.1\r\nconnection: close\r\n\r\n', 400, full],
  ['GET /v1/projects HTTP/1.1\r\nhost: a\r\nHOST: b\r\nconnection: close\r\n\r\n', 400, full],
  ['GET /v1/projects HTTP/1.0\r\nhost: a\r\nhost: a\r\n\r\n', 400, full],
  ['nonsense\r\n\r\n', 400, full],
  ['1GET /v1/auth/me HTTP/1.1\r\nhost: a\r\n\r\n', 400, full],
])('%# %.40j is %i with the body of its path', async (bytes, status, body) => {
  const { wire, lines } = await listen()
  const { write, closed } = await wire()
  write(bytes)
  const response = lastResponse(await closed)
  expect(response.status).toBe(status)
  expect(response.head.toLowerCase()).toContain('content-type: application/json; charset=utf-8')
  expect(response.body).toEqual(body)
  expect(lines.join('')).not.toContain('fault')
})

it('tells a method in small letters, which browsers send as it is written, from a malformed request', async () => {
  const { wire } = await listen()
  const errorOf = async (bytes: string) => {
    const { write, closed } = await wire()
    write(bytes)
    return (lastResponse(await closed).body as { error: string }).error
  }
  expect(await errorOf('patch /v1/projects/1 HTTP/1.1\r\nhost: a\r\n\r\n')).toContain('PATCH, not patch')
  expect(await errorOf('PATCH /v1/projects/1 HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n')).toBe(
    'The request is not valid HTTP.',
  )
})
