import { beforeEach, describe, expect, it } from 'vitest'
import { errors } from '../../../src/contract/errors.js'
import type { ProductionStore } from '../../../src/store/production-store.js'
import { databaseForEachTest, noPostgres } from '../../store/postgres/postgres-database.js'
import { openTestApp } from '../server-harness.js'

describe.skipIf(noPostgres)('rate limits over three nodes', () => {
  const rates = {
    waitlistRate: { max: 3, ms: 60_000 },
    signInRate: { max: 2, ms: 60_000 },
  }
  const database = databaseForEachTest()
  let stores: ProductionStore[]
  beforeEach(async () => {
    stores = await Promise.all([database.openStore(), database.openStore(), database.openStore()])
  })
  const serve = () =>
    stores.map((store) => openTestApp({ store, ...rates, requestCounts: store.requestCounts }).app)
  type Node = ReturnType<typeof serve>[number]

  const join = async (node: Node | undefined, remoteAddress: string) => {
    const response = await node?.inject({
      method: 'POST',
      url: '/v1/waitlist',
      payload: { email: 'a@b.example' },
      remoteAddress,
    })
    return { status: response?.statusCode, headers: response?.headers, body: response?.json() }
  }
  /** The number of accepted requests of one client, sent concurrently to the nodes in turn. */
  const countAccepted = async (nodes: Node[], address = '192.0.2.1') => {
    const responses = await Promise.all(Array.from({ length: 30 }, (_, i) => join(nodes[i % 3], address)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]))
    return responses.filter(({ status }) => status === 200).length
  }

  it('allow a client as many requests as one node does', async () => {
    expect(await countAccepted(serve())).toBe(3)
    const { status, headers, body } = await join(serve()[1], '192.0.2.1')
    expect(status).toBe(429)
    expect(Number(headers?.['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers?.['retry-after'])).toBeLessThanOrEqual(60)
    expect(body).toEqual({ error: errors.RATE_LIMITED.message })
  })

  it('count clients and kinds of requests separately', async () => {
    const nodes = serve()
    expect(await countAccepted(nodes, '192.0.2.1')).toBe(3)
    expect(await countAccepted(nodes, '192.0.2.2')).toBe(3)
    const statuses = []
    for (let i = 0; i < 3; i += 1) {
      const remoteAddress = '192.0.2.1'
      statuses.push((await nodes[i % 3]?.inject({ url: '/auth/sign-in', remoteAddress }))?.statusCode)
    }
    expect(statuses).toEqual([501, 501, 429])
  })

  it('apply to the /64 and the /48 of an IPv6 client', async () => {
    const nodes = serve()
    // Requests of a /64 beyond its own limit are not counted for the /48.
    expect(await countAccepted(nodes, '2001:db8:0:1::1')).toBe(3)
    for (let i = 2; i <= 22; i += 1) {
      expect((await join(nodes[i % 3], `2001:db8:0:${i.toString(16)}::1`)).status).toBe(200)
    }
    expect((await join(nodes[0], '2001:db8:0:ff::1')).status).toBe(429)
    expect((await join(nodes[1], '2001:db8:1:ff::1')).status).toBe(200)
  })

  it('accept no requests while the database cannot be reached', async () => {
    const nodes = serve()
    await Promise.all(stores.map((store) => store.close()))
    const { status, headers, body } = await join(nodes[0], '192.0.2.1')
    expect(status).toBe(503)
    expect(headers?.['retry-after']).toBeDefined()
    expect(body).toEqual({ error: errors.SERVICE_UNAVAILABLE.message })
    expect((await nodes[1]?.inject('/auth/sign-in'))?.statusCode).toBe(503)
    expect((await nodes[2]?.inject('/docs'))?.statusCode).toBe(200)
  })

  it('keep no addresses longer than the window', async () => {
    const nodes = serve()
    await join(nodes[0], '2001:db8:0:1::1')
    const keys = () => database.run<{ key: string }>('SELECT key FROM request_counts ORDER BY key')
    expect(await keys()).toEqual([
      { key: '/v1/waitlist 2001:db8:0:1::/64' },
      { key: '/v1/waitlist 2001:db8:0::/48' },
    ])
    await database.run("UPDATE request_counts SET ends_at = now() - interval '1 ms'")
    await stores[2]?.requestCounts?.removePast()
    expect(await keys()).toEqual([])
  })
})
