import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { trackConnections } from '../../src/http/connections.js'
import { connectionsOf } from '../server/server-harness.js'

async function serve(respond: RequestListener) {
  // Longer than any test: only the tracker closes a connection.
  const server = createServer({ keepAliveTimeout: 60_000 }, respond)
  const connections = trackConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const open = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  return { server, connections, open }
}

test('a response whose head was sent before the drain is completed, and its connection closed', async () => {
  const body = Buffer.alloc(16 * 1024 * 1024)
  const { connections, open } = await serve((_, response) => {
    response.writeHead(200, { 'content-length': body.length }).end(body)
  })
  const socket = await open()
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  const [head] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  expect(head.toString('latin1')).toMatch(/^HTTP\/1\.1 200 OK\r\n(.*\r\n)*connection: keep-alive\r\n/i)

  connections.finish()
  let received = head.length
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
  })
  socket.resume()
  await once(socket, 'close')
  expect(received).toBeGreaterThan(body.length)
})

test('a connection without a pending response is closed immediately, even if it never sent a request', async () => {
  const { server, connections, open } = await serve((_, response) => void response.end('done'))
  const [used, unused] = [await open(), await open()]
  used.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(used, 'data')
  await expect.poll(() => connectionsOf(server)).toBe(2)
  connections.finish()
  used.resume()
  unused.resume()
  await Promise.all([once(used, 'close'), once(unused, 'close')])
  await connections.emptied(1_000)
  expect(await connectionsOf(server)).toBe(0)
})

test('emptied waits for open connections, but not for later ones', async () => {
  const { server, connections, open } = await serve((_, response) => void response.end('done'))
  const first = await open()
  await expect.poll(() => connectionsOf(server)).toBe(1)
  let isEmptied = false
  const emptied = connections.emptied(60_000).then(() => {
    isEmptied = true
  })
  const later = await open()
  later.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await once(later, 'data')
  expect(isEmptied).toBe(false)
  first.end()
  await emptied
  expect(later.destroyed).toBe(false)
})

test('a request that has arrived is answered, even after the time limit', async () => {
  const { server, connections, open } = await serve((_, response) => void response.end('done'))
  connections.drain()
  const socket = await open()
  await expect.poll(() => connectionsOf(server)).toBe(1)
  const emptied = connections.emptied(20).then(connections.finish)
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  // As on a busy machine: the request arrives and the time limit passes before the event loop reads.
  await new Promise((resolve) => setImmediate(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  await emptied
})
