import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { TeamLimits } from '../../../src/contract/limits.js'
import { folderForEachTest } from '../../store/sqlite/sqlite-folder.js'
import { createTestApp, demo } from '../server-harness.js'

const folder = folderForEachTest()

/** A server whose team Acme has 4,000 projects of 4 KB each: 16 MB of text. */
async function serveLargeTeam(limits?: TeamLimits) {
  const store = await folder.openStore()
  const projects = Array.from({ length: 4_000 }, (_, i) => ({
    id: `p${i}`,
    name: `Project ${i}`,
    description: 'x'.repeat(4_000),
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
  const served = createTestApp({ store, changes: store.changes, limits, log: undefined })
  const url = await served.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => served.app.close())
  const { cookie } = await served.signIn()
  const { cookie: other } = await served.signIn({ userId: 'user-max', orgCode: 'org_globex' })
  const get = async (path: string, cookies: string) => {
    const response = await fetch(`${url}${path}`, { headers: { cookie: cookies } })
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength }
  }
  /** How many lists were loaded at once. */
  return { store, listProjects, most: () => most, get, cookie, other, url }
}

const concurrency = 30

test('the list of a large team is loaded once for all its callers, and other teams are served meanwhile', {
  timeout: 60_000,
}, async () => {
  const { get, listProjects, cookie, other } = await serveLargeTeam()
  await get('/v1/projects', other)
  listProjects.mockClear()
  const before = process.memoryUsage()
  let highest = 0
  const sample = setInterval(() => {
    const { heapUsed, external } = process.memoryUsage()
    highest = Math.max(highest, heapUsed + external)
  }, 5)
  onTestFinished(() => clearInterval(sample))

  let isLoading = true
  const requests = Array.from({ length: concurrency }, (_, i) =>
    get(`/v1/projects?${i}`, `${cookie}; other=${i}`),
  )
  const lists = Promise.all(requests).finally(() => {
    isLoading = false
  })
  const delays: number[] = []
  while (isLoading) {
    const startedAt = performance.now()
    expect((await get('/v1/auth/me', other)).status).toBe(200)
    delays.push(performance.now() - startedAt)
  }
  for (const { status, bytes } of await lists) {
    expect(status).toBe(200)
    expect(bytes).toBeGreaterThan(16_000_000)
  }
  expect(listProjects.mock.calls.filter(([teamId]) => teamId === 'team-acme')).toHaveLength(1)
  // The client of this process holds each response once; the server holds one list, its text and its buffer.
  const clientBytes = concurrency * 17_000_000
  expect(highest - before.heapUsed - before.external).toBeLessThan(2 * clientBytes + 150_000_000)
  expect(delays.length).toBeGreaterThan(1)
  expect(Math.max(...delays)).toBeLessThan(4_000)
})

test('changes of other teams do not repeat a load, and changes of the team do not cause more than two at once', {
  timeout: 60_000,
}, async () => {
  const { get, listProjects, most, store, cookie } = await serveLargeTeam()
  const [project] = await store.listProjects('team-globex')
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
  expect(most()).toBe(2)
})

test('clients that do not read hold a bounded number of versions of a large list', {
  timeout: 60_000,
}, async () => {
  const { get, store, cookie, other, url } = await serveLargeTeam({ projects: 10_000, bytes: 8_000_000 })
  const wires = []
  for (let i = 0; i < 4; i += 1) {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    wires.push(socket)
    socket.write(`GET /v1/projects HTTP/1.1\r\nhost: a\r\ncookie: ${cookie}\r\n\r\n`)
    // The beginning of its response has arrived, and is not read.
    await once(socket, 'readable')
    await store.updateProject('team-acme', 'p1', { status: String(i) })
  }
  expect((await get('/v1/projects', cookie)).status).toBe(503)
  expect((await get('/v1/projects', other)).status).toBe(200)
  for (const socket of wires) socket.destroy()
  await expect.poll(async () => (await get('/v1/projects', cookie)).status, { timeout: 20_000 }).toBe(200)
})
