import { afterEach, expect, test, vi } from 'vitest'
import { createWaitLimit } from '../../../src/server/http/wait-limit.js'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { demo, openTestApp } from '../server-harness.js'

/** The app over a store in which some calls do not settle until `release`. */
async function overSlowStore(slow: 'caller' | 'listProjects' | 'addProject', waitMs = 100) {
  const store = createMemoryStore(demo())
  let isSlow = false
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const whenReleased =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args) => {
      if (isSlow) await released
      return call(...args)
    }
  const { app, signIn } = openTestApp({
    store: { ...store, [slow]: whenReleased(store[slow] as (...args: unknown[]) => Promise<unknown>) },
    waitMs,
    maxPendingPerSession: 1,
  })
  const { cookie } = await signIn()
  isSlow = true
  return {
    release,
    names: async () => (await store.listProjects('team-acme')).projects.map(({ name }) => name),
    list: () => app.inject({ url: '/v1/projects', headers: { cookie } }),
    create: () =>
      app.inject({ method: 'POST', url: '/v1/projects', headers: { cookie }, payload: { name: 'Slow' } }),
  }
}

test.each(['caller', 'listProjects'] as const)(
  'a read waits no longer than the limit for %s',
  async (slow) => {
    const { list, release } = await overSlowStore(slow)
    const reply = await list()
    expect(reply.statusCode).toBe(503)
    expect(reply.headers['retry-after']).toBe('1')
    expect(reply.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    release()
  },
)

test('a write whose session was not read within the limit is refused, and never made', async () => {
  const { create, release, names } = await overSlowStore('caller')
  expect((await create()).statusCode).toBe(503)
  release()
  expect(await names()).not.toContain('Slow')
})

test('a write that has begun is waited for: its response says what became of it', async () => {
  // Its session is read within a limit that no busy machine exceeds.
  const { create, release, names } = await overSlowStore('addProject', 2_000)
  const created = create()
  setTimeout(release, 2_500)
  expect((await created).statusCode).toBe(201)
  expect(await names()).toContain('Slow')
})

test('a read that waits for other requests of its session does not wait for the store', async () => {
  const { create, list, release } = await overSlowStore('addProject')
  const created = create()
  const listed = list()
  setTimeout(release, 300)
  expect((await created).statusCode).toBe(201)
  expect((await listed).statusCode).toBe(200)
})

afterEach(() => vi.useRealTimers())

test('what settles in time leaves no timer behind', async () => {
  vi.useFakeTimers()
  const inTime = createWaitLimit(1_000)
  expect(await inTime(Promise.resolve(1))).toBe(1)
  await expect(inTime(Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(vi.getTimerCount()).toBe(0)
})
