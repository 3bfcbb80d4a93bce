import { expect, test } from 'vitest'
import { createProxyCheck } from '../../../src/server/http/client-address.js'
import { createMemoryStore } from '../../../src/store/memory/memory-store.js'
import { demo, openTestApp } from '../server-harness.js'

test('a client behind a trusted proxy gets 429 beyond its number of pending requests, and other clients do not', async () => {
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
  const { app } = openTestApp({
    store: { ...store, addToWaitlist },
    trustedProxies: ['10.0.0.1'],
    connectionLimits: { maxPerAddress: 2, isExempt: createProxyCheck(['10.0.0.1']) },
  })
  const join = (client: string, remoteAddress = '10.0.0.1') =>
    app.inject({
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'a@b.example' },
      remoteAddress,
      headers: { 'x-forwarded-for': client },
    })

  const pending = [join('192.0.2.1'), join('192.0.2.1')]
  await expect.poll(() => waiting).toBe(2)
  const refused = await join('192.0.2.1')
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('1')
  pending.push(join('192.0.2.2'), join('192.0.2.1', '203.0.113.1'))
  await expect.poll(() => waiting).toBe(4)
  release()
  for (const { statusCode } of await Promise.all(pending)) expect(statusCode).toBe(200)
  expect((await join('192.0.2.1')).statusCode).toBe(200)
})
