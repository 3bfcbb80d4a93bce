import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { rawRequest } from '../../src/conformance/raw-request.js'

/** Starts a server whose responses are written by a test. */
async function serve(respond: (response: ServerResponse) => void) {
  const server = createServer((_, response) => respond(response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { method: 'GET', url, path: '/', headers: [], chunked: false, raw: false }
}

test('a response that never ends is an error', async () => {
  const request = await serve((response) => {
    response.write('[')
    const timer = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(timer))
  })
  const limits = { timeoutMs: 200, maxBytes: 1_000_000 }
  await expect(rawRequest(request, limits)).rejects.toThrow('no whole response in 0.2 s')
})

test('a response beyond the maximum length is an error, and one of that length is not', async () => {
  const request = await serve((response) => void response.end(Buffer.alloc(1001, ' ')))
  const limits = { timeoutMs: 60_000, maxBytes: 1000 }
  await expect(rawRequest(request, limits)).rejects.toThrow('a response of more than 1000 bytes')
  expect((await rawRequest(request, { ...limits, maxBytes: 1001 })).status).toBe(200)
})
