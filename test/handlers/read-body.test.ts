import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { maxBodyBytes } from '../../src/contract/operations.js'
import { readBody } from '../../src/handlers/read-body.js'

const faults = { mediaType: 415, tooLarge: 413, unreadable: 400, notAnObject: 409, invalid: 422 }
const schema = z.strictObject({ a: z.string() })

/** Reads a body; the result is its value, or the status and the message of the failure. */
async function read(body: string | Uint8Array, contentType: string | undefined = 'application/json') {
  const sent = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const bytes = async (limit: number) => (sent.length > limit ? undefined : sent)
  const result = await readBody({ contentType, bytes }, { schema, faults })
  return 'failed' in result ? [result.status, result.message] : result.value
}

const refused = [415, 'Send the request body as application/json.']

describe('a request body', () => {
  it.each([
    'application/json',
    'Application/JSON',
    ' application/json ',
    '\tapplication/json\t; charset=utf-8',
    'application/json;charset=latin1',
    'application/json; x=text/plain',
  ])('is read with the content type %j', async (type) => {
    expect(await read('{"a":"b"}', type)).toEqual({ a: 'b' })
  })

  it.each([
    'application/json5',
    'application/jsonp',
    'application/problem+json',
    'application/ json',
    'x-application/json',
    'text/json',
    'json',
    'text/plain; application/json',
    'application/json, text/plain',
  ])('is refused with the content type %j', async (type) => {
    expect(await read('{"a":"b"}', type)).toEqual(refused)
    expect(await read('', type)).toEqual(refused)
  })

  it.each(['', ' ', ';charset=utf-8'])('needs a content type, unless it is empty: %j', async (type) => {
    expect(await read('{"a":"b"}', type)).toEqual(refused)
    expect(await read('', type)).toEqual([400, 'The request body is empty.'])
  })

  it('has at most 64 KiB, whatever it contains', async () => {
    const largest = `{"a":"${'b'.repeat(maxBodyBytes - 8)}"}`
    expect(largest).toHaveLength(64 * 1024)
    expect(await read(largest)).toHaveProperty('a')
    expect(await read(`${largest} `)).toEqual([413, 'The request body is larger than 64 KiB.'])
    expect(await read('{'.repeat(maxBodyBytes + 1))).toEqual([413, expect.any(String)])
    expect(await read(`${largest} `, 'text/plain')).toEqual(refused)
  })

  it.each([
    ['no JSON', '{'],
    ['JSON with a byte order mark', '\ufeff{"a":"b"}'],
    ['white space', ' '],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('is unreadable: %s', async (_, body) => {
    expect(await read(body)).toEqual([400, 'The request body is not JSON in UTF-8.'])
  })

  it.each(['[]', 'null', '"a"', '1', 'true'])('is no object: %s', async (body) => {
    expect(await read(body)).toEqual([409, undefined])
  })

  it.each(['{}', '{"a":1}', '{"a":"b","c":1}'])('breaks the schema: %s', async (body) => {
    expect(await read(body)).toEqual([422, undefined])
  })
})
