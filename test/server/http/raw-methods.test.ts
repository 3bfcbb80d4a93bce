import { describe, expect, onTestFinished, test } from 'vitest'
import { ErrorBody } from '../../../src/contract/schemas.js'
import { openTestApp, openWire } from '../server-harness.js'

async function openConnectionTo() {
  const { app, signIn } = openTestApp()
  const { cookie } = await signIn()
  const wire = await openWire(await app.listen({ host: '127.0.0.1', port: 0 }))
  onTestFinished(wire.end)
  return { wire, cookie }
}

const get = 'GET /v1/projects HTTP/1.1\r\nhost: a\r\n'
const post =
  'POST /v1/waitlist HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nexpect: 100-continue\r\n'
const body = '{"email":"a@b.example"}'

describe('Expect: 100-continue', () => {
  test('gets an interim response, so that the client sends its body', async () => {
    const { wire } = await openConnectionTo()
    wire.write(`${post}content-length: ${body.length}\r\n\r\n`)
    await wire.until((received) => received === 'HTTP/1.1 100 Continue\r\n\r\n')
    wire.write(body)
    expect(await wire.until((received) => received.includes('200 OK'))).toContain('{"status":"ok"}')
  })

  test('gets none in a pipeline, where it would be written into the response before it', async () => {
    const { wire, cookie } = await openConnectionTo()
    wire.write(`${get}cookie: ${cookie}\r\n\r\n${post}content-length: ${body.length}\r\n\r\n${body}`)
    const received = await wire.until((all) => all.includes('{"status":"ok"}'))
    expect(received).not.toContain('100 Continue')
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })
})

test('CONNECT is answered 405 with the error body', async () => {
  const { wire } = await openConnectionTo()
  wire.write('CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n')
  const [head = '', text = ''] = (await wire.closed).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 405 /)
  expect(head).toMatch(/\r\nallow: .*GET/)
  expect(ErrorBody.parse(JSON.parse(text))).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
})
