import { expect, test } from 'vitest'
import { createRandom } from '../../../bench/fuzz/random.js'
import { createRequests } from '../../../bench/fuzz/requests.js'
import { takeResponses } from '../../../bench/fuzz/responses.js'
import { brokenRule } from '../../../bench/fuzz/rules.js'
import { errors } from '../../../src/contract/errors.js'

const codes = new Set(Object.keys(errors))
const type = 'application/json; charset=utf-8'
const docsUrl = 'http://127.0.0.1/docs/errors/not-found'
const judged = (status: number, body: object, more = {}) =>
  brokenRule({ status, type, text: JSON.stringify(body), ...more }, false, codes)

test('a response is found wrong that is not an error of the contract', () => {
  const error = { error: 'x', code: 'AUTH_REQUIRED', docsUrl }
  expect(judged(401, error)).toBeUndefined()
  expect(judged(401, { error: 'x' })).toBeUndefined()
  expect(judged(200, {})).toBeUndefined()
  expect(judged(500, error)).toContain('status 500')
  expect(judged(401, { ...error, code: 'UNKNOWN' })).toBe('unknown code UNKNOWN')
  expect(judged(401, { ...error, docsUrl: '/docs' })).toContain('docsUrl')
  expect(judged(422, error)).toContain('fields')
  expect(judged(401, error, { type: 'text/plain' })).toContain('content type')
  expect(judged(401, {}, { text: '<p>' })).toContain('not JSON')
})

test('responses are read from the bytes of a connection', () => {
  const response = (body: string) => `HTTP/1.1 404 Not Found\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const read = (text: string, isClosed = false) => takeResponses(Buffer.from(text), undefined, isClosed)
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n'
  const { responses, used } = read(`${interim}${response('a')}${response('b')}HTTP/1.1 200`)
  expect(responses.map(({ status, text }) => [status, text])).toEqual([
    [404, 'a'],
    [404, 'b'],
  ])
  expect(used).toBe(interim.length + 2 * response('a').length)
  expect(read('HTTP/1.1 200', true).fault).toContain('cut off')
  expect(read('<html>\r\n\r\n').fault).toContain('not an answer')
  expect(read('HTTP/1.1 200 OK\r\n\r\n').fault).toContain('no length')
})

test('a seed repeats the requests', () => {
  const sent = (seed: number) => {
    const { framed, broken } = createRequests(createRandom(seed), ['session=a'])
    return Buffer.concat([...Array.from({ length: 50 }, () => framed().bytes), broken(), broken()])
  }
  expect(sent(1).equals(sent(1))).toBe(true)
  expect(sent(1).equals(sent(2))).toBe(false)
})
