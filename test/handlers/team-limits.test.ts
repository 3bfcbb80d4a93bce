import { expect, test } from 'vitest'
import type { TeamLimits } from '../../src/contract/limits.js'
import type { Project } from '../../src/contract/schemas.js'
import { createApi } from '../../src/handlers/api.js'
import { emptyState } from '../../src/store/state-file.js'
import { createMemoryStore } from '../store/memory/full-memory-store.js'

// test/store/store-suite/projects.ts tests the limits of stores, test/contract/replayed-examples.test.ts the default limits.

const team = { id: 'team', name: 'Team', orgCode: 'org' }
const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const permissions = ['create:projects', 'update:projects']

/** A project with 7 bytes of text: its name and "active". */
const project = (id: string): Project => ({
  id,
  name: id,
  description: null,
  status: 'active',
  teamId: 'team',
  createdAt: '2026-01-01T00:00:00.000Z',
})

/** The operations over a store that holds the projects "a" and "b". */
function open(limits: TeamLimits) {
  const store = createMemoryStore({
    ...emptyState(),
    teams: [team],
    projects: [project('a'), project('b')],
  })
  const api = createApi({
    limits,
    now: () => new Date(),
    newId: () => crypto.randomUUID(),
  })
  const call = (name: 'createProject' | 'updateProject', body: object, projectId = '') =>
    api.call(
      name,
      {
        store,
        params: projectId ? { projectId } : {},
        query: () => '',
        contentType: 'application/json',
        body: new TextEncoder().encode(JSON.stringify(body)),
      },
      { id: 'session', user, orgCode: 'org', team, permissions },
    )
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

test('a project too many is refused, after the check of its name', async () => {
  const { create, update, store } = open({ projects: 3, bytes: 1_000 })
  expect(await create('c')).toMatchObject({ status: 201 })
  expect(await create('d')).toMatchObject(tooLarge('A team can have at most 3 projects.'))
  expect(await create('A')).toMatchObject({ status: 409 })
  expect(await update('a', { description: 'long '.repeat(100) })).toMatchObject({ status: 200 })
  expect((await store.listProjects('team')).projects).toHaveLength(3)
})

test('text beyond the limit is refused, in bytes of JSON, after the checks of the project and its name', async () => {
  const { create, update, store } = open({ projects: 9, bytes: 100 })
  const tooLong = tooLarge('The projects of a team can have at most 100 bytes of text.')
  expect(await create('c', 'ä'.repeat(40))).toMatchObject(tooLong)
  expect(await create('c', 'ä'.repeat(39))).toMatchObject({ status: 201 })
  expect(await update('a', { description: 'xx' })).toMatchObject(tooLong)
  expect(await update('a', { description: 'x' })).toMatchObject({ status: 200 })
  expect(await update('a', { name: 'b' })).toMatchObject({ status: 409 })
  expect(await update('none', { status: 'xyz' })).toMatchObject({ status: 404 })
  expect(await store.teamSize('team')).toEqual({ projects: 3, bytes: 100 })
})
