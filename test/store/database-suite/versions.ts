import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ProductionStore } from '../../../src/store/production-store.js'
import type { Store } from '../../../src/store/store.js'
import type { TestDatabase } from '../database-suite.js'
import { acmeProject, entry } from '../sqlite/sqlite-folder.js'

const session = {
  id: 's',
  userId: 'ada',
  orgCode: 'org_acme',
  permissions: [],
  expiresAt: '2096-03-02T12:00:00.000Z',
}
const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const identity = { issuer: 'https://id.example', subject: 'sub' }
const revokedAt = '2026-03-01T13:00:00.000Z'

/** Opens a store with two teams, a project of each, and a user with a session of the first. */
export async function openFilled(database: Pick<TestDatabase, 'openStore'>): Promise<ProductionStore> {
  const store = await database.openStore()
  for (const id of ['acme', 'globex']) {
    await store.addTeam({ id, name: id, orgCode: `org_${id}` })
    await store.addProject({ ...acmeProject(`p-${id}`), teamId: id })
  }
  await store.upsertUser(identity, user)
  await store.addSession(session)
  return store
}

/** Changes the project of a team. */
export const update = (store: Store, teamId = 'acme') =>
  store.updateProject(teamId, `p-${teamId}`, { status: randomUUID() })

const versions = async (store: Store) => ({
  caller: (await store.caller('s'))?.version,
  list: (await store.listProjects('acme')).version,
  names: (await store.listProjectNames('acme')).version,
})

export function testVersions(database: TestDatabase): void {
  test('are random, and the same for the caller and the lists of a team', async () => {
    const store = await openFilled(database)
    const { caller = '', ...others } = await versions(store)
    expect(others).toEqual({ list: caller, names: caller })
    expect(caller.length).toBeGreaterThanOrEqual(32)
    expect((await store.listProjects('globex')).version).not.toBe(caller)
    expect(await versions(await database.openStore())).toEqual({ caller, ...others })
  })

  test('exist for a team that never had a project', async () => {
    const store = await database.openStore()
    await store.addTeam({ id: 'empty', name: 'Empty', orgCode: 'org_empty' })
    expect((await store.listProjects('empty')).version).toMatch(/./)
    expect((await store.listProjects('none')).version).toBeUndefined()
  })

  describe.each([
    ['the same store', async (store: ProductionStore) => store],
    ['another store', () => database.openStore()],
  ])('when %s writes', (_, openWriter) => {
    test.each<[string, (store: Store) => Promise<unknown>]>([
      ['a new project', (store) => store.addProject(acmeProject('new'))],
      ['an updated project', (store) => update(store)],
      ['a removed project', (store) => store.remove({ projects: [{ teamId: 'acme', id: 'p-acme' }] })],
      ['a renamed team', (store) => store.renameTeam('acme', 'Acme 2')],
    ])('change with %s, each time to a new value', async (_, write) => {
      const store = await openFilled(database)
      const writer = await openWriter(store)
      const before = await versions(store)
      await write(writer)
      const after = await versions(store)
      expect(after.caller).not.toBe(before.caller)
      expect(after).toEqual({ caller: after.caller, list: after.caller, names: after.caller })
    })

    test.each<[string, (store: Store) => Promise<unknown>]>([
      ['a project of another team', (store) => update(store, 'globex')],
      ['an update of a foreign id', (store) => store.updateProject('globex', 'p-acme', { name: 'x' })],
      ['the waitlist', (store) => store.addToWaitlist(entry('new'))],
      ['a session that was used', (store) => store.touchSession('s', revokedAt)],
      ['a new session', (store) => store.addSession({ ...session, id: 'new' })],
      ['a user who signs in again', (store) => store.upsertUser(identity, user)],
    ])('do not change with %s', async (_, write) => {
      const store = await openFilled(database)
      const before = await versions(store)
      await write(await openWriter(store))
      expect(await versions(store)).toEqual(before)
    })

    test('a caller is read again after its session, user or team changed', async () => {
      const store = await openFilled(database)
      const writer = await openWriter(store)
      expect(await store.caller('s')).toMatchObject({ team: { id: 'acme' }, user: { givenName: 'Ada' } })
      await writer.upsertUser(identity, { ...user, givenName: 'Adá' })
      expect(await store.caller('s')).toMatchObject({ user: { givenName: 'Adá' } })
      await writer.renameTeam('acme', 'Acme 2')
      expect(await store.caller('s')).toMatchObject({ team: { name: 'Acme 2' } })
      await writer.revokeSession('s', revokedAt)
      expect(await store.caller('s')).toMatchObject({ session: { revokedAt } })
      await writer.remove({ users: ['ada'] })
      expect(await store.caller('s')).toBeUndefined()
    })
  })

  test.each([
    ['changes a project', "UPDATE projects SET status = 'x' WHERE id = 'p-acme'"],
    ['moves a project away', "UPDATE projects SET team_id = 'globex' WHERE id = 'p-acme'"],
    ['moves a project in', "UPDATE projects SET team_id = 'acme' WHERE id = 'p-globex'"],
    ['removes a project', "DELETE FROM projects WHERE id = 'p-acme'"],
    ['changes a team', "UPDATE teams SET name = 'x' WHERE id = 'acme'"],
  ])('change when a statement by hand %s', async (_, sql) => {
    const store = await openFilled(database)
    const before = await versions(store)
    await database.run(sql)
    expect((await versions(store)).caller).not.toBe(before.caller)
  })

  test('show each commit of several writers', async () => {
    const store = await openFilled(database)
    const writers = await Promise.all([1, 2, 3].map(() => database.openStore()))
    for (let i = 0; i < 40; i += 1) {
      const { version, projects } = await store.listProjects('acme')
      expect(version).toBe((await store.caller('s'))?.version)
      await Promise.all(writers.map((writer) => update(writer)))
      const after = await store.listProjects('acme')
      expect(after.version).not.toBe(version)
      expect(after.projects).not.toEqual(projects)
    }
  })
}
