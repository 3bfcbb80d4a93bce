import { createServer } from 'node:http2'
import { expect, it } from 'vitest'
import { sendResponse, toRequest } from '../../../src/mock/http/node-http.js'
import { connectTo, listen, readUntil } from './http2-client.js'

function deferred<Value>() {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve: (value: Value) => resolve(value) }
}

it('rejects an HTTP/2 request if the client disconnects within the body', async () => {
  const outcome = deferred<unknown>()
  const server = createServer((incoming, outgoing) => {
    toRequest(incoming, outgoing, 'http://a/', 100).catch(outcome.resolve)
    stream.close(8)
  })
  const stream = connectTo(await listen(server)).open('POST', '/')
  stream.write('{')
  expect(await outcome.promise).toBeInstanceOf(Error)
})

it('cancels the source of a streamed response when the client disconnects', async () => {
  const cancelled = deferred<void>()
  const events = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
    cancel: () => cancelled.resolve(),
  })
  const response = new Response(events, { headers: { 'content-type': 'text/event-stream' } })
  const server = createServer((_, outgoing) => void sendResponse(response, outgoing).catch(() => {}))
  const stream = connectTo(await listen(server))
    .open('GET', '/')
    .end()
  await readUntil(stream, 'data: 1')
  stream.close(8)
  await cancelled.promise
})

it('makes a Request with the headers and the bytes as they were sent', async () => {
  const outcome = deferred<Request>()
  const server = createServer((incoming, outgoing) => {
    void toRequest(incoming, outgoing, 'http://a/b?c=d', 3).then(outcome.resolve)
  })
  const stream = connectTo(await listen(server)).open('POST', '/', { cookie: ['a=1', 'b=2'] as never })
  stream.end(new Uint8Array([0xff, 0, 0x80, 1, 2]))
  const request = await outcome.promise
  expect([request.method, request.url, request.headers.get('cookie')]).toEqual([
    'POST',
    'http://a/b?c=d',
    'a=1; b=2',
  ])
  // The host is that of :authority.
  expect([...request.headers.keys()]).toEqual(['cookie', 'host'])
  // One byte more than the limit, which shows that the body is too long.
  expect([...new Uint8Array(await request.arrayBuffer())]).toEqual([0xff, 0, 0x80, 1])
  expect(request.signal.aborted).toBe(false)
  const aborted = new Promise((resolve) => request.signal.addEventListener('abort', resolve))
  stream.close(8)
  await aborted
  expect(request.signal.aborted).toBe(true)
})
