import { expect, test, vi } from 'vitest'
import { shareNames } from '../../../src/server/cache/shared-names.js'
import { createMemoryStore } from '../../../src/store/memory/memory-store.js'
import { demo } from '../server-harness.js'

type Load = () => Promise<Buffer>

/** Names over the demo fixture, whose team Acme also has a project with `name`. */
async function open(name = 'New') {
  const store = createMemoryStore(demo())
  const added = { id: 'new', name, description: null, status: 'active', teamId: 'team-acme' }
  await store.addProject({ ...added, createdAt: '2100-01-01T00:00:00.000Z' })
  const share = vi.fn((_teamId: string, load: Load) => load())
  return { store, share, names: shareNames(store, share), listed: await store.listProjectNames('team-acme') }
}

test('a body has the names of its team, whatever else it contains', async () => {
  const { names, share, listed } = await open()
  const quoted = '"projects":[],"projects":[]'
  for (const more of [
    {},
    { [quoted]: quoted, list: ['projects', []], text: '\\"projects\\":[]$&\u2028ä🚀' },
  ]) {
    const body = { user: more, projects: await names.store.listProjectNames('team-acme'), role: 'owner' }
    expect(String(names.encode(body))).toBe(JSON.stringify({ ...body, projects: listed }))
  }
  expect(share.mock.calls.map(([teamId]) => teamId)).toEqual(['team-acme', 'team-acme'])
  const empty = { projects: await names.store.listProjectNames('team-initech') }
  expect(String(names.encode(empty))).toBe('{"projects":[]}')
})

test('a body without such names is encoded as it is', async () => {
  const { names, listed } = await open()
  for (const body of [{ error: 'x' }, { projects: [] }, { projects: listed }, { project: listed[0] }]) {
    expect(String(names.encode(body))).toBe(JSON.stringify(body))
  }
})

test('the bodies of a team share a list above 1 MiB, and have a copy of a shorter one', async () => {
  const list = Buffer.from(`["${'x'.repeat(1024 * 1024 - 4)}"]`)
  for (const [text, isShared] of [
    [list, false],
    [Buffer.concat([list, Buffer.from(' ')]), true],
  ] as const) {
    const { store } = await open()
    const names = shareNames(store, async () => text)
    const encode = async (user: string) =>
      names.encode({ user, projects: await names.store.listProjectNames('team-acme'), role: 'x' })
    for (const user of ['ä', 'b']) {
      const body = await encode(user)
      const whole = `{"user":"${user}","projects":${text},"role":"x"}`
      expect((Buffer.isBuffer(body) ? body : Buffer.concat(body)).equals(Buffer.from(whole))).toBe(true)
      expect(Buffer.isBuffer(body)).toBe(!isShared)
      expect(body[1] === text).toBe(isShared)
    }
  }
})

test('the other methods are those of the store, and its errors are passed on', async () => {
  const { store, names } = await open()
  expect(await names.store.listProjects('team-acme')).toEqual(await store.listProjects('team-acme'))
  await expect(names.store.listProjectNames(' ')).rejects.toThrow('teamId')
})
