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
  const { listProjects: list } = store
  let running = 0
  let most = 0
  const listProjects = vi.spyOn(store, 'listProjects').mockImplementation(async (teamId) => {
    running += 1
    most = Math.max(most, running)
    return list(teamId).finally(() => {
      running -= 1
    })
  })
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
  /** How many lists were loaded at once. */
  return { ...served, store, listProjects, most: () => most, get, cookie, session, other, url }
}

const concurrency = 30
const text = 16_000_000

/**
 * Sends requests at once, and requests of another team meanwhile.
 * @returns the part of the time that the longest of these waited, which is the same on a slower machine
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

/** Samples the memory that this process cannot free. Returns whether it was ever more than now by so many bytes. */
function measureMemory(limit: number) {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  collectGarbage()
  const before = used()
  let isExceeded = false
  const sample = setInterval(() => {
    // It takes a long time: not where memory is below the limit with all garbage.
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

test('the list of a large team is loaded once for all its callers, and other teams are served meanwhile', async () => {
  const { get, listProjects, cookie, other } = await serveLargeTeam()
  await get('/v1/projects', other)
  listProjects.mockClear()
  const isExceeded = measureMemory(10 * text)
  const longest = await sendAll(
    (i) => get(`/v1/projects?${i}`, `${cookie}; other=${i}`),
    () => get('/v1/auth/me', other),
  )
  expect(listProjects.mock.calls).toEqual([['team-acme']])

  expect(isExceeded()).toBe(false)
  expect(longest).toBeLessThan(0.5)
})

test('the names in the session bundles of a large team are loaded once for all its sessions', async () => {
  const { get, store, signIn, other } = await serveLargeTeam()
  const lists = new Set<unknown>()
  const { listProjectNames } = store
  vi.spyOn(store, 'listProjectNames').mockImplementation(async (teamId) => {
    const list = await listProjectNames(teamId)
    lists.add(list.projects)
    return list
  })
  const cookies = await Promise.all(Array.from({ length: concurrency }, async () => (await signIn()).cookie))
  const isExceeded = measureMemory(10 * text)
  const longest = await sendAll(
    (i) => get('/v1/auth/me', cookies[i] ?? ''),
    () => get('/v1/projects', other),
  )
  await get('/v1/auth/me', cookies[0] ?? '')
  expect(lists.size).toBe(1)

  expect(isExceeded()).toBe(false)
  expect(longest).toBeLessThan(0.5)
})

test('a large session bundle is the same as a small one, and has its length', async () => {
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

test('a large session bundle is never older than a commit before the request, and no session holds a version', async () => {
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

test('a client that leaves during a large session bundle is no fault', async () => {
  const { get, url, cookie, lines, other } = await serveLargeTeam()
  lines.length = 0
  const { hostname, port } = new URL(url)
  for (const moment of ['begun', 'sent', 'pipelined'] as const) {
    for (let i = 0; i < 3; i += 1) {
      const socket = connect(Number(port), hostname)
      socket.write(
        `GET /v1/auth/me HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`.repeat(moment === 'begun' ? 1 : 3),
      )
      if (moment === 'sent') await new Promise<void>((resolve) => socket.end(resolve))
      else await once(socket, 'readable')
      socket.destroy()
    }
  }
  await expect.poll(() => lines.length).toBeGreaterThan(8)
  expect((await get('/v1/projects', other)).status).toBe(200)
  expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([])
})

test.each(['/v1/projects', '/v1/auth/me'])(
  'a client that leaves before its large %s is there holds no version of it',
  async (path) => {
    const { get, store, cookie, url, lines } = await serveLargeTeam({ maxTeamBytes: 8_000_000 })
    const { hostname, port } = new URL(url)
    for (let i = 0; i < 4; i += 1) {
      const logged = lines.length
      const socket = connect(Number(port), hostname)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`, () => socket.destroy())
      await expect.poll(() => lines.length).toBeGreaterThan(logged)
      // The version that it asked for has been read by now.
      await store.listProjects('team-acme')
      await store.listProjectNames('team-acme')
      await store.updateProject('team-acme', 'p1', { status: String(i) })
    }
    expect((await get(path, cookie)).status).toBe(200)
  },
)

test('changes of other teams do not repeat a load, and changes of the team do not cause one for each request', async () => {
  const { get, listProjects, most, store, cookie } = await serveLargeTeam()
  const [project] = (await store.listProjects('team-globex')).projects
  listProjects.mockClear()
  const readAll = async (teamId: string, projectId: string) => {
    const lists: Promise<unknown>[] = []
    for (let i = 0; i < 10; i += 1) {
      lists.push(get('/v1/projects', `${cookie}; other=${i}`))
      await store.updateProject(teamId, projectId, { status: String(i) })
    }
    await Promise.all(lists)
  }
  await readAll('team-globex', project?.id ?? '')
  expect(listProjects).toHaveBeenCalledTimes(1)
  expect(most()).toBe(1)
  await readAll('team-acme', 'p1')
  // Those who wait for the list share a load.
  const loads = await Promise.all(Array.from({ length: 9 }, () => store.listProjects('team-acme')))
  expect(new Set(loads.map(({ projects }) => projects)).size).toBeLessThan(3)
})

test.each(['/v1/projects', '/v1/auth/me'])(
  'clients that do not read hold a bounded number of versions of a large %s',
  async (path) => {
    const { get, store, cookie, other, url } = await serveLargeTeam({ maxTeamBytes: 8_000_000 })
    const wires = []
    for (let i = 0; i < 4; i += 1) {
      const { hostname, port } = new URL(url)
      const socket = connect(Number(port), hostname)
      onTestFinished(() => void socket.destroy())
      wires.push(socket)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`)
      // The beginning of its response has arrived, and is not read.
      await once(socket, 'readable')
      await store.updateProject('team-acme', 'p1', { status: String(i) })
    }
    expect((await get(path, cookie)).status).toBe(503)
    expect((await get('/v1/projects', other)).status).toBe(200)
    for (const socket of wires) socket.destroy()
    await expect.poll(async () => (await get(path, cookie)).status).toBe(200)
  },
)
