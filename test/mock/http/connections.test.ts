import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { operationMethods } from '../../../src/contract/operations.js'
import { type DevServer, startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState } from '../../../src/store/state-file.js'

let server: DevServer
beforeAll(async () => {
  server = await startDevServer({ fixtures: parseState(fixture), port: 0 })
})
afterAll(() => server.close())

const open = () => connect(Number(new URL(server.url).port), '127.0.0.1')

/** Writes bytes to a connection and returns everything that comes back. */
async function sendRaw(bytes: string): Promise<string> {
  const socket = open()
  socket.write(bytes)
  return text(socket)
}

const get = 'GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: session=acme-owner\r\n\r\n'
const expectContinue = (name: string) =>
  `POST /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: session=acme-owner\r\ncontent-type: application/json\r\n` +
  `expect: 100-continue\r\nconnection: close\r\ncontent-length: ${14 + name.length - 1}\r\n\r\n`

const statuses = (response: string) => response.match(/HTTP\/1\.1 \d+/g)?.map((line) => line.slice(9))

describe('Expect: 100-continue', () => {
  test('gets its interim response if no other response is due', async () => {
    const socket = open()
    socket.write(expectContinue('ab'))
    await new Promise((resolve) => socket.once('data', resolve))
    socket.write('{"name": "ab"} '.slice(0, 15))
    expect(await text(socket)).toMatch(/HTTP\/1\.1 201/)
  })

  test('gets none in a pipeline, where it would be within the response before it', async () => {
    const document = 'GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n'
    const response = await sendRaw(`${document}${get}${expectContinue('cd')}{"name": "cd"} `)
    expect(statuses(response)).toEqual(['200', '200', '201'])
  })

  test('with another value is ignored, as in production', async () => {
    const response = await sendRaw(get.replace('host: a', 'host: a\r\nexpect: x\r\nconnection: close'))
    expect(statuses(response)).toEqual(['200'])
  })
})

test('a connection is closed if more than 50 responses are due', async () => {
  const last = get.replace('host: a', 'host: a\r\nconnection: close')
  expect(statuses(await sendRaw(get.repeat(49) + last))).toHaveLength(50)
  const { length: before } = await server.mock.controls.log.read()
  const response = await sendRaw(get.repeat(5000)).catch(() => '')
  expect(statuses(response) ?? []).toEqual([])
  expect((await server.mock.controls.log.read()).length - before).toBeLessThanOrEqual(50)
})

describe('CONNECT', () => {
  const refused =
    /HTTP\/1\.1 405 Method Not Allowed\r\n[\s\S]*connection: close[\s\S]*"code":"METHOD_NOT_ALLOWED"/i

  test('is refused with 405 and the error body', async () => {
    const response = await sendRaw('CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n')
    expect(response).toMatch(refused)
    expect(response).toContain(`allow: ${operationMethods.join(', ')}\r\n`)
  })

  test('is answered after the responses before it', async () => {
    const response = await sendRaw(`${get}${get}CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n`)
    expect(statuses(response)).toEqual(['200', '200', '405'])
    expect(response).toMatch(refused)
  })
})
