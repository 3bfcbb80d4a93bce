import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createBrowser } from '../../oidc/browser.js'
import { type RealProvider, startRealProvider } from '../../oidc/real-provider.js'
import { callbackOf, type Service, signInAs, startService } from '../../oidc/sign-in-flow.js'
import { databaseForEachTest, noPostgres } from '../../store/postgres/postgres-database.js'
import { demo, minute } from '../server-harness.js'
import { ada, fromPage } from './provider-for-tests.js'

/** A balancer on one port: each request goes to the next node. */
async function startBalancer() {
  const nodes: Service[] = []
  /** The paths that each node received. */
  const requests: { node: number; path: string }[] = []
  const server = createServer((request, response) => {
    const node = requests.length % nodes.length
    requests.push({ node, path: new URL(request.url ?? '', 'http://any').pathname })
    const { method, url: path, headers } = request
    const forwarded = send(nodes[node]?.url ?? '', { method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, nodes, requests, nodeOf: (path: string) => requests.find((each) => each.path === path)?.node }
}

describe.skipIf(noPostgres)('sign-in over three nodes', () => {
  const database = databaseForEachTest()
  let provider: RealProvider
  beforeAll(async () => {
    provider = await startRealProvider()
  })
  beforeEach(() => {
    provider.accounts.ada = { ...ada }
  })
  afterAll(() => provider.close())

  async function serveNodes() {
    const balancer = await startBalancer()
    for (let i = 0; i < 3; i += 1) {
      const store = await database.openStore()
      if (i === 0) await store.load({ ...demo(), sessions: [] })
      const { requestCounts } = store
      const options = { publicUrl: balancer.url, now: () => new Date() }
      const service = await startService(provider, { store, requestCounts, ...options })
      onTestFinished(service.close)
      balancer.nodes.push(service)
    }
    await provider.register(balancer.url)
    const statuses = (path: string, cookie: string) =>
      Promise.all(
        balancer.nodes.map(async ({ url }) => (await fetch(url + path, { headers: { cookie } })).status),
      )
    const sessions = async () => (await balancer.nodes[0]?.store.listSessions()) ?? []
    return { ...balancer, statuses, sessions }
  }

  it('continues at whichever node receives the next request, and so does sign-out', async () => {
    const service = await serveNodes()
    const { browser, response } = await signInAs('ada', service, provider)
    expect(await response.json()).toMatchObject({ user: { email: 'ada@id.example' }, teamId: 'team-acme' })
    const { nodeOf, requests } = service
    const path = ['/auth/sign-in', '/auth/callback', '/v1/auth/me']
    expect(new Set(path.map(nodeOf)).size).toBe(3)

    const cookie = `session=${browser.cookie(service.url, 'session')}`
    expect(await service.statuses('/v1/projects', cookie)).toEqual([200, 200, 200])
    // Another node than that of the callback ends the session.
    if (requests.length % 3 === nodeOf('/auth/callback')) await fetch(service.url)
    const ended = await browser.request(`${service.url}/auth/sign-out`, fromPage)
    expect(ended.status).toBe(303)
    expect(nodeOf('/auth/sign-out')).not.toBe(nodeOf('/auth/callback'))
    expect(await service.statuses('/v1/projects', cookie)).toEqual([401, 401, 401])
    expect(await service.statuses('/v1/auth/me', cookie)).toEqual([401, 401, 401])
  })

  it('lasts as long as it is used at any node', async () => {
    const { nodes, statuses, sessions } = await serveNodes()
    const { cookie = '' } = (await nodes[0]?.signIn()) ?? {}
    expect(await statuses('/v1/projects', cookie)).toEqual([200, 200, 200])
    // The clock of the database decides, so the test changes the times of the session.
    const lastUsed = async (minutesAgo: number) => {
      const at = new Date(Date.now() - minutesAgo * minute).toISOString()
      await database.run(`UPDATE sessions SET created_at = '${at}', last_seen_at = '${at}'`)
      return at
    }
    for (const { url } of [...nodes, ...nodes]) {
      const before = await lastUsed(20)
      expect((await fetch(`${url}/v1/projects`, { headers: { cookie } })).status).toBe(200)
      // The use is saved without delaying the request.
      await expect.poll(async () => (await sessions())[0]?.lastSeenAt?.localeCompare(before)).toBe(1)
    }
    await lastUsed(30.01)
    expect(await statuses('/v1/projects', cookie)).toEqual([401, 401, 401])
  })

  it('accepts a callback once, at whichever node it arrives', async () => {
    const service = await serveNodes()
    const browser = createBrowser()
    const back = await callbackOf('ada', service, provider, { browser })
    const [name, attempt] = browser.attempt(service.url)
    expect((await browser.request(back.href)).status).toBe(303)
    const before = await service.sessions()
    for (let i = 0; i < 3; i += 1) {
      browser.setCookie(service.url, name, attempt)
      const replayed = await browser.request(back.href)
      expect(replayed.status).toBe(400)
      expect(replayed.headers.getSetCookie()).toEqual([])
    }
    expect(await service.sessions()).toEqual(before)
    const refused = service.nodes.map(
      ({ lines }) => lines.filter((line) => line.includes('invalid_grant')).length,
    )
    expect(refused).toEqual([1, 1, 1])
  })

  it('accepts a callback at most once if it arrives at all nodes at the same time', async () => {
    const service = await serveNodes()
    const browser = createBrowser()
    const back = await callbackOf('ada', service, provider, { browser })
    const headers = { cookie: browser.attempt(service.url).join('=') }
    const responses = await Promise.all(
      service.nodes.map(({ url }) =>
        fetch(url + back.pathname + back.search, { headers, redirect: 'manual' }),
      ),
    )
    // The provider may revoke its tokens if a code is used twice: then no callback succeeds.
    const signedIn = responses.filter(({ status }) => status === 303)
    expect(signedIn.length).toBeLessThanOrEqual(1)
    expect(await service.sessions()).toHaveLength(signedIn.length)
  })
})
