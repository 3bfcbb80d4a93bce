import { describe, expect, test } from 'vitest'
import { defaultTeamLimits, projectBytes, type TeamLimits } from '../../src/contract/limits.js'
import type { Project } from '../../src/contract/schemas.js'
import { createApi } from '../../src/handlers/api.js'
import { emptyState } from '../../src/store/state-file.js'
import type { Store } from '../../src/store/store.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'
import { folderForEachTest } from '../store/sqlite/sqlite-folder.js'

const folder = folderForEachTest()
const stores: [string, () => Promise<Store>][] = [
  ['memory', async () => createMemoryStore()],
  ['sqlite', () => folder.openStore()],
]

const team = { id: 'team', name: 'Team', orgCode: 'org' }
const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const permissions = ['create:projects', 'update:projects']

const project = (id: string, description: string | null = null): Project => ({
  id,
  name: id,
  description,
  status: 'active',
  teamId: 'team',
  createdAt: '2026-01-01T00:00:00.000Z',
})

/** The operations over a store that holds these projects of a team. */
async function open(openStore: () => Promise<Store>, projects: Project[], limits?: TeamLimits) {
  const store = await openStore()
  await store.load({ ...emptyState(), teams: [team], projects })
  let ids = 0
  const api = createApi({
    limits,
    now: () => new Date(),
    newId() {
      ids += 1
      return `new-${ids}`
    },
    onError: (error) => {
      throw error
    },
  })
  const call = async (name: 'createProject' | 'updateProject', body: object, projectId = '') => {
    const reply = await api.call(name, {
      store,
      params: projectId ? { projectId } : {},
      query: () => '',
      contentType: 'application/json',
      bytes: async () => new TextEncoder().encode(JSON.stringify(body)),
      session: async () => ({ id: 'session', user, orgCode: 'org', team, permissions }),
    })
    const { status } = reply
    return reply.code === undefined ? { status } : { status, details: reply.details, code: reply.code }
  }
  return {
    store,
    create: (name: string, description?: string) => call('createProject', { name, description }),
    update: (id: string, body: object) => call('updateProject', body, id),
  }
}

const tooLarge = (message: string) => ({
  status: 422,
  code: 'VALIDATION_FAILED',
  details: { formErrors: [message], fieldErrors: {} },
})
const tooMany = tooLarge('A team can have at most 3 projects.')
const tooLong = tooLarge('The projects of a team can have at most 100 bytes of text.')
const created = { status: 201 }
const updated = { status: 200 }

describe.each(stores)('the limits of a team, with the %s store', (_, openStore) => {
  test('refuse a project too many, after the check of its name', async () => {
    const { create, update, store } = await open(openStore, [project('a'), project('b')], {
      projects: 3,
      bytes: 1_000,
    })
    expect(await create('c')).toMatchObject(created)
    expect(await create('d')).toEqual(tooMany)
    expect(await create('A')).toMatchObject({ status: 409 })
    expect(await update('a', { description: 'long '.repeat(100) })).toMatchObject(updated)
    expect((await store.listProjects('team')).projects).toHaveLength(3)
  })

  test('refuse text beyond the limit, in bytes of JSON, and accept what fits exactly', async () => {
    // A project without description has 7 bytes here: its name and "active".
    const { create, update, store } = await open(openStore, [project('a'), project('b')], {
      projects: 9,
      bytes: 100,
    })
    expect(await create('c', 'ä'.repeat(40))).toEqual(tooLong)
    expect(await create('c', 'ä'.repeat(39))).toMatchObject(created)
    expect(await update('a', { description: 'xx' })).toEqual(tooLong)
    expect(await update('a', { description: 'x' })).toMatchObject(updated)
    expect(await create('d')).toEqual(tooLong)
    expect(await update('a', { name: 'b' })).toMatchObject({ status: 409 })
    expect(await update('none', { status: 'xyz' })).toMatchObject({ status: 404 })
    expect(await store.teamSize('team')).toEqual({ projects: 3, bytes: 100 })
  })

  test('let a team that exceeds them shrink, and not grow', async () => {
    const projects = ['a', 'b', 'c', 'd'].map((id) => project(id, 'x'.repeat(100)))
    const { create, update } = await open(openStore, projects, { projects: 3, bytes: 100 })
    expect(await update('a', { description: 'x'.repeat(101) })).toEqual(tooLong)
    expect(await update('a', { description: 'y'.repeat(100), status: 'paused' })).toMatchObject(updated)
    expect(await update('a', { description: 'z'.repeat(99) })).toMatchObject(updated)
    expect(await update('b', {})).toMatchObject(updated)
    expect(await create('e')).toEqual(tooMany)
  })

  test('hold for concurrent writes, which get all the space that there is', async () => {
    const { create, update, store } = await open(openStore, [project('a')], { projects: 41, bytes: 10_000 })
    const creations = await Promise.all(Array.from({ length: 100 }, (_, i) => create(`p${i}`)))
    expect(creations.filter(({ status }) => status === 201)).toHaveLength(40)
    const { bytes } = await store.teamSize('team')
    const ids = (await store.listProjects('team')).projects.map(({ id }) => id)
    const description = 'x'.repeat(1_000)
    const updates = await Promise.all(ids.map((id) => update(id, { description })))
    expect(updates.filter(({ status }) => status === 200)).toHaveLength(Math.floor((10_000 - bytes) / 1_000))
    expect((await store.teamSize('team')).bytes).toBeLessThanOrEqual(10_000)
  })

  test('are 10,000 projects and 32 MiB of text by default', async () => {
    const projects = Array.from({ length: 10_000 }, (_, i) => project(`p${i}`))
    const { create, store } = await open(openStore, projects)
    expect(await create('one more')).toEqual(tooLarge('A team can have at most 10000 projects.'))
    expect(await store.teamSize('team')).toEqual({
      projects: 10_000,
      bytes: projects.reduce((sum, each) => sum + projectBytes(each), 0),
    })
    expect(defaultTeamLimits).toEqual({ projects: 10_000, bytes: 33_554_432 })
  })
})
