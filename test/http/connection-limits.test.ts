import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ConnectionLimits, trackConnections } from '../../src/http/connections.js'

/** A server with these limits. It never answers `/wait`; the response to `/large` exceeds the socket buffers. */
async function serverWith(limits: Partial<ConnectionLimits>) {
  const server: Server = createServer((request, response) => {
    if (request.url === '/wait') return
    request.resume().on('end', () => response.end(request.url === '/large' ? large : 'ok'))
  })
  const { closedForLimits } = trackConnections(server, limits)
  /** The number of started requests by the client's address and port: clients with different addresses may have the same port. */
  const begun = new Map<string, number>()
  server.on('request', ({ socket: { remoteAddress, remotePort } }) => {
    const client = `${remoteAddress}:${remotePort}`
    begun.set(client, (begun.get(client) ?? 0) + 1)
  })
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket: Socket) => {
    socket.end(`HTTP/1.1 408 ${code}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  /** Opens a connection from an address, and waits until its request has started. */
  const open = async (localAddress = '127.0.0.1', send = '', isRead = true) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    let text = ''
    let isClosed = false
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    if (!isRead) socket.pause()
    socket.on('error', () => {})
    socket.on('close', () => {
      isClosed = true
    })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'connect')
    socket.write(send)
    // The server has read the data that came with the connection.
    for (let i = 0; i < 4; i += 1) await nextTurn()
    const client = `${localAddress}:${socket.localPort}`
    await expect.poll(() => begun.get(client) ?? 0).toBe(send.split(' HTTP/1.1\r\n').length - 1)
    return { socket, text: () => text, isClosed: () => isClosed }
  }
  return Object.assign(open, { closedForLimits })
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`
const large = Buffer.alloc(32 * 1024 * 1024)
const slowBody = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n1'

describe('at the maximum of connections', () => {
  test('the longest-idle connection is closed for a new one', async () => {
    const open = await serverWith({ max: 2 })
    const first = await open()
    const second = await open()
    await open()
    await expect.poll(first.isClosed).toBe(true)
    expect(second.isClosed()).toBe(false)
    expect(open.closedForLimits()).toBe(1)
  })

  test('the idle time begins with the last response, not when the connection was opened', async () => {
    const open = await serverWith({ max: 2 })
    const used = await open()
    const unused = await open()
    used.socket.write(get('/'))
    await expect.poll(used.text).toContain('ok')
    await open()
    await expect.poll(unused.isClosed).toBe(true)
    expect(used.isClosed()).toBe(false)
  })

  test('a connection with an incomplete body is closed after idle ones', async () => {
    const open = await serverWith({ max: 2 })
    const idle = await open()
    const receiving = await open('127.0.0.1', slowBody)
    await open()
    await expect.poll(idle.isClosed).toBe(true)
    expect(receiving.isClosed()).toBe(false)
  })

  test('a connection whose response is not read is closed after idle ones', async () => {
    const open = await serverWith({ max: 2 })
    await open('127.0.0.1', get('/large'), false)
    const idle = await open()
    await open('127.0.0.1', get('/wait'))
    await expect.poll(idle.isClosed).toBe(true)
    const late = await open('127.0.0.1', get('/'))
    await expect.poll(late.text).toContain('ok')
  })

  test('connections that wait for the server stay, and the new one is closed', async () => {
    const open = await serverWith({ max: 1 })
    const waiting = await open('127.0.0.1', get('/wait'))
    const late = await open()
    await expect.poll(late.isClosed).toBe(true)
    expect(waiting.isClosed()).toBe(false)
    expect(open.closedForLimits()).toBe(1)
  })

  test('a connection that never sent a request is closed before used ones, however many connections their address has', async () => {
    const open = await serverWith({ max: 5 })
    const office: Awaited<ReturnType<typeof open>>[] = []
    for (let i = 0; i < 3; i += 1) office.push(await open('127.0.0.2', get('/')))
    for (const { text } of office) await expect.poll(text).toContain('ok')
    const silent: Awaited<ReturnType<typeof open>>[] = []
    for (let i = 3; i < 20; i += 1) silent.push(await open(`127.0.0.${i}`))
    await expect.poll(() => silent.filter(({ isClosed }) => isClosed()).length).toBe(15)
    expect(silent.slice(-2).map(({ isClosed }) => isClosed())).toEqual([false, false])
    expect(office.filter(({ isClosed }) => isClosed())).toEqual([])
  })
})

describe('a connection without a request', () => {
  test('is not closed before the data that came with it was read', async () => {
    const clients = 8
    const open = await serverWith({ max: clients })
    const idle: Awaited<ReturnType<typeof open>>[] = []
    for (let i = 0; i < clients; i += 1) idle.push(await open('127.0.0.1', get('/')))
    for (const { text } of idle) await expect.poll(text).toContain('ok')
    const burst = await Promise.all(idle.map(() => open('127.0.0.1', get('/'))))
    for (const { text } of burst) await expect.poll(text).toContain('ok')
    await expect.poll(() => idle.every(({ isClosed }) => isClosed())).toBe(true)
  })
})

describe('at the maximum of connections of an address', () => {
  test('its idle connection is closed for a new one, and none of another address', async () => {
    const open = await serverWith({ maxPerAddress: 1 })
    const other = await open('127.0.0.2')
    const first = await open('127.0.0.3')
    const second = await open('127.0.0.3')
    await expect.poll(first.isClosed).toBe(true)
    expect([other.isClosed(), second.isClosed()]).toEqual([false, false])
  })

  test('its idle connection is closed for a new one, also where all connections are limited', async () => {
    const open = await serverWith({ max: 2, maxPerAddress: 1 })
    const other = await open('127.0.0.2')
    const first = await open('127.0.0.3')
    await open('127.0.0.3')
    await expect.poll(first.isClosed).toBe(true)
    expect(other.isClosed()).toBe(false)
  })

  test('no connection is closed if the address is exempt', async () => {
    const open = await serverWith({ maxPerAddress: 1, isExempt: (address) => address === '127.0.0.3' })
    const first = await open('127.0.0.3')
    const second = await open('127.0.0.3', get('/'))
    await expect.poll(second.text).toContain('200 OK')
    expect(first.isClosed()).toBe(false)
    expect(open.closedForLimits()).toBe(0)
  })
})

test('a connection with 50 pending responses is closed at the next request', async () => {
  const open = await serverWith({})
  const pipeline = await open('127.0.0.1', get('/wait').repeat(50))
  expect(pipeline.isClosed()).toBe(false)
  pipeline.socket.write(get('/wait'))
  await expect.poll(pipeline.isClosed).toBe(true)
  expect(open.closedForLimits()).toBe(1)
})
