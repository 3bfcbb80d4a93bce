import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryStore } from '../../../src/store/memory/memory-store.js'
import { demo, openTestApp, openWire } from '../server-harness.js'

/** A service behind a proxy, whose sign-ups wait until they are released. A client may have two pending requests. */
function openHeldApp(proxy: string) {
  const store = createMemoryStore(demo())
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let waiting = 0
  const addToWaitlist: typeof store.addToWaitlist = async (entry) => {
    waiting += 1
    await released
    return store.addToWaitlist(entry)
  }
  const { app, lines } = openTestApp({
    store: { ...store, addToWaitlist },
    trustProxy: [proxy],
    maxConnectionsPerAddress: 2,
  })
  return { app, lines, release: () => release(), waiting: () => waiting }
}

test('a client behind a trusted proxy gets 429 beyond its number of pending requests, and other clients do not', async () => {
  const { app, lines, release, waiting } = openHeldApp('10.0.0.1')
  const join = (client: string, remoteAddress = '10.0.0.1') =>
    app.inject({
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'a@b.example' },
      remoteAddress,
      headers: { 'x-forwarded-for': client },
    })

  const pending = [join('192.0.2.1'), join('192.0.2.1')]
  await expect.poll(waiting).toBe(2)
  const refused = await join('192.0.2.1')
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('1')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ operation: 'joinWaitlist', status: 429 })
  pending.push(join('192.0.2.2'), join('192.0.2.1', '203.0.113.1'))
  await expect.poll(waiting).toBe(4)
  release()
  for (const { statusCode } of await Promise.all(pending)) expect(statusCode).toBe(200)
  expect((await join('192.0.2.1')).statusCode).toBe(200)
})

test('pipelined requests whose connection ends are not pending any more', async () => {
  const { app, release, waiting } = openHeldApp('127.0.0.1')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = app.listeningOrigin
  const connection = once(app.server, 'connection')
  const wire = await openWire(url)
  onTestFinished(wire.end)
  const body = '{"email":"a@b.example"}'
  const join = (client: string) =>
    `POST /v1/waitlist HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${client}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  wire.write(join('192.0.2.2') + join('192.0.2.1').repeat(2))
  await expect.poll(waiting).toBe(3)
  const status = async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    return (await fetch(`${url}/v1/projects`, { headers })).status
  }
  expect(await status()).toBe(429)
  const [socket] = await connection
  const closed = once(socket, 'close')
  wire.end()
  await closed
  release()
  await expect.poll(status).toBe(401)
})

test('a client that connects directly is limited by its connections, not by its requests', async () => {
  const { app, release, waiting } = openHeldApp('10.0.0.1')
  const join = () =>
    app.inject({
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'a@b.example' },
      remoteAddress: '192.0.2.1',
    })
  const pending = [join(), join(), join()]
  await expect.poll(waiting).toBe(3)
  release()
  for (const { statusCode } of await Promise.all(pending)) expect(statusCode).toBe(200)
})

test('the addresses of an IPv6 /64 are limited as one client, those of a /48 as eight', async () => {
  const { app, release, waiting } = openHeldApp('10.0.0.1')
  const join = (network: number, host: number) =>
    app.inject({
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'a@b.example' },
      remoteAddress: '10.0.0.1',
      headers: { 'x-forwarded-for': `2001:db8:0:${network}::${host}` },
    })
  const pending = [join(0, 1), join(0, 2)]
  await expect.poll(waiting).toBe(2)
  expect((await join(0, 3)).statusCode).toBe(429)
  for (let network = 1; network < 8; network++) pending.push(join(network, 1), join(network, 2))
  await expect.poll(waiting).toBe(16)
  expect((await join(8, 1)).statusCode).toBe(429)
  release()
  for (const { statusCode } of await Promise.all(pending)) expect(statusCode).toBe(200)
})
