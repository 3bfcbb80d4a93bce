import { expect, test, vi } from 'vitest'
import { createMemoryStore } from '../../store/memory/full-memory-store.js'
import { demo, openTestApp } from '../server-harness.js'
import { unchangedStore } from './unchanged-store.js'

test('a session with too many requests in flight does not delay another session that shares a load', async () => {
  const store = unchangedStore(createMemoryStore(demo()))
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { addProject } = store
  const added = vi.spyOn(store, 'addProject').mockImplementation(async (...args) => {
    await released
    return addProject(...args)
  })
  const { app, signIn } = openTestApp({ store, maxPendingPerSession: 1 })
  const [flooding, other] = [await signIn(), await signIn()]

  const list = ({ cookie }: { cookie: string }) => app.inject({ url: '/v1/projects', headers: { cookie } })
  const created = app.inject({
    method: 'POST',
    url: '/v1/projects',
    headers: { cookie: flooding.cookie },
    payload: { name: 'Slow' },
  })
  await expect.poll(() => added.mock.calls.length).toBe(1)
  // This request waits for its turn, and would start the load that the other session shares.
  const waiting = list(flooding)
  const ended = vi.fn()
  void waiting.then(ended)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect((await list(other)).statusCode).toBe(200)
  expect(ended).not.toHaveBeenCalled()

  release()
  expect((await created).statusCode).toBe(201)
  expect((await waiting).statusCode).toBe(200)
})
