import { once } from 'node:events'
import { Agent, createServer, get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { stopListening } from '../../src/http/stop-listening.js'

async function serve() {
  // Longer than any test: Node closes no connection by itself.
  const server = createServer({ keepAliveTimeout: 60_000 }, (_, response) => void response.end('done'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, port: (server.address() as AddressInfo).port }
}

test('new connections are refused, and open ones continue', async () => {
  const { server, port } = await serve()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = async () => {
    const request = get({ port, host: '127.0.0.1', agent })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    await once(response.resume(), 'end')
    return [response.statusCode, request.reusedSocket]
  }
  expect(await ask()).toEqual([200, false])
  await stopListening(server)
  expect(await ask()).toEqual([200, true])
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('connections that wait to be accepted are answered', async () => {
  const { server, port } = await serve()
  const sockets = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'))
  // The system establishes the connections. The server, in the same process, accepts few of them meanwhile.
  await Promise.all(
    sockets.map(async (socket) => {
      await once(socket, 'connect')
      socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    }),
  )
  const responses = sockets.map(async (socket) => {
    let received = ''
    for await (const chunk of socket.setEncoding('latin1')) received += chunk
    return received.split('\r\n')[0]
  })
  await stopListening(server)
  expect(new Set(await Promise.all(responses))).toEqual(new Set(['HTTP/1.1 200 OK']))
})

test('stopping ends while new connections keep coming', async () => {
  const { server, port } = await serve()
  let goesOn = true
  onTestFinished(() => {
    goesOn = false
  })
  const dial = () => {
    if (!goesOn) return
    const socket = connect(port, '127.0.0.1', dial)
    socket.on('error', () => {})
  }
  for (let i = 0; i < 20; i += 1) dial()
  await stopListening(server, 50)
  expect(server.listening).toBe(false)
})
