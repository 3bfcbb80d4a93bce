import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AppOptions } from '../../../src/server/app.js'
import { folderForEachTest } from '../../store/sqlite/sqlite-folder.js'
import { createTestApp, demo } from '../server-harness.js'

const folder = folderForEachTest()

/** A server whose team Acme has 4,000 projects with names of 4 KB each: 16 MB of text. */
async function serveLargeTeam(options?: Partial<AppOptions>) {
  const store = await folder.openStore()
  const projects = Array.from({ length: 4_000 }, (_, i) => ({
    id: `p${i}`,
    name: `Project ${i} ${'x'.repeat(4_000)}`,
    description: null,
    status: 'active',
    teamId: 'team-acme',
    createdAt: new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString(),
  }))
  const { projects: others, ...state } = demo()
  const small = others.filter(({ teamId }) => teamId !== 'team-acme')
  await store.load({ ...state, sessions: [], projects: [...projects, ...small] })
  const served = createTestApp({ store, ...options })
  const url = await served.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => served.app.close())
  const { cookie, session } = await served.signIn()
  const { cookie: other } = await served.signIn({ userId: 'user-max', orgCode: 'org_globex' })
  const get = async (path: string, cookies: string) => {
    const { status, body } = await fetch(`${url}${path}`, { headers: { cookie: cookies } })
    let bytes = 0
    for await (const chunk of body ?? []) bytes += chunk.length
    return { status, bytes }
  }
  return { ...served, store, get, cookie, session, other, url }
}

const concurrency = 30
const text = 16_000_000

/**
 * Sends concurrent requests, and meanwhile requests of another team.
 * @returns the longest wait of the other team as a part of the total time, which does not depend on the speed of the machine
 */
async function sendAll(
  send: (i: number) => Promise<{ status: number; bytes: number }>,
  other: () => Promise<{ status: number }>,
) {
  let isLoading = true
  const responses = Promise.all(Array.from({ length: concurrency }, (_, i) => send(i))).finally(() => {
    isLoading = false
  })
  const delays: number[] = []
  while (isLoading) {
    const startedAt = performance.now()
    expect((await other()).status).toBe(200)
    delays.push(performance.now() - startedAt)
  }
  for (const { status, bytes } of await responses) {
    expect(status).toBe(200)
    expect(bytes).toBeGreaterThan(text)
  }
  return Math.max(...delays) / delays.reduce((sum, delay) => sum + delay)
}

/** Samples the memory that this process cannot free. @returns whether it ever grew by more than a limit, in bytes */
function measureMemory(limit: number) {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  collectGarbage()
  const before = used()
  let isExceeded = false
  const sample = setInterval(() => {
    // Collecting garbage takes long, so only where the memory with garbage exceeds the limit.
    if (used() > before + limit) collectGarbage()
    isExceeded ||= used() > before + limit
  }, 50)
  onTestFinished(() => clearInterval(sample))
  return () => isExceeded
}

const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

test.each([
  ['projects', '/v1/projects', 'listProjects'],
  ['names', '/v1/auth/me', 'listProjectNames'],
] as const)(
  'the %s of a large team are loaded once for all its callers, and other teams are served meanwhile',
  async (_, path, method) => {
    const { get, store, signIn, other } = await serveLargeTeam()
    const loaded = new Set<unknown>()
    const load = store[method]
    vi.spyOn(store, method).mockImplementation(async (teamId) => {
      const list = await load(teamId)
      if (teamId === 'team-acme') loaded.add(list.projects)
      return list as never
    })
    const cookies = await Promise.all(
      Array.from({ length: concurrency }, async () => (await signIn()).cookie),
    )
    const isExceeded = measureMemory(10 * text)
    const longest = await sendAll(
      (i) => get(path, cookies[i] ?? ''),
      () => get(path === '/v1/projects' ? '/v1/auth/me' : '/v1/projects', other),
    )
    expect(loaded.size).toBe(1)
    expect(isExceeded()).toBe(false)
    expect(longest).toBeLessThan(0.5)
  },
)

test('a large session bundle has the form of a small one, and a Content-Length', async () => {
  const { app, store, cookie, session } = await serveLargeTeam()
  const read = async (method: 'GET' | 'HEAD') => {
    const { statusCode, headers, payload } = await app.inject({
      method,
      url: '/v1/auth/me',
      headers: { cookie },
    })
    expect(statusCode).toBe(200)
    const { date: _, 'x-request-id': id, ...rest } = headers
    expect(id).toBeDefined()
    return { headers: rest, payload }
  }
  const { headers, payload } = await read('GET')
  const user = await store.user(session.userId)
  const projects = (await store.listProjects('team-acme')).projects.map(({ id, name }) => ({ id, name }))
  const permissions = ['create:projects', 'update:projects']
  const organization = { orgCode: 'org_acme' }
  const bundle = JSON.stringify({ user, organization, permissions, teamId: 'team-acme', projects })
  expect(payload === bundle).toBe(true)
  expect(headers['content-length']).toBe(String(Buffer.byteLength(bundle)))
  expect(await read('HEAD')).toEqual({ headers, payload: '' })

  const small = await app.inject({ url: '/v1/projects', headers: { cookie } })
  expect(headers['content-type']).toBe(small.headers['content-type'])
  expect(headers['transfer-encoding']).toBeUndefined()
})

test('a large session bundle is never older than a commit before the request, and sessions keep no old versions in memory', async () => {
  const { app, signIn, cookie } = await serveLargeTeam()
  const held = () => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
  const before = held()
  for (let i = 0; i < 8; i += 1) {
    const name = `Renamed ${i}`
    const headers = { cookie, 'content-type': 'application/json' }
    const renamed = await app.inject({
      method: 'PATCH',
      url: '/v1/projects/p1',
      headers,
      payload: { name },
    })
    expect(renamed.statusCode).toBe(200)
    const { payload } = await app.inject({ url: '/v1/auth/me', headers: { cookie: (await signIn()).cookie } })
    expect(payload.includes(JSON.stringify({ id: 'p1', name }))).toBe(true)
  }
  // Eight versions were sent.
  expect(held() - before).toBeLessThan(4 * text)
})

test.each(['/v1/projects', '/v1/auth/me'])(
  'clients that do not read keep a bounded number of versions of a large %s in memory',
  async (path) => {
    const { get, store, cookie, other, url } = await serveLargeTeam({ maxTeamBytes: 8_000_000 })
    const wires = []
    for (let i = 0; i < 4; i += 1) {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      wires.push(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`)
      // The beginning of the response has arrived, but is not read.
      await once(socket, 'readable')
      await store.updateProject('team-acme', 'p1', { status: String(i) })
    }
    expect((await get(path, cookie)).status).toBe(503)
    expect((await get('/v1/projects', other)).status).toBe(200)
    for (const socket of wires) socket.destroy()
    await expect.poll(async () => (await get(path, cookie)).status).toBe(200)
  },
)
