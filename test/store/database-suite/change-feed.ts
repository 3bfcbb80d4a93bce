import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ProductionStore } from '../../../src/store/production-store.js'
import { type Store, StoreUnavailableError } from '../../../src/store/store.js'
import type { TestDatabase } from '../database-suite.js'
import { acmeProject, entry } from '../sqlite/sqlite-folder.js'

const session = {
  id: 's',
  userId: 'ada',
  orgCode: 'org_acme',
  permissions: [],
  expiresAt: '2026-03-02T12:00:00.000Z',
}
const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const identity = { issuer: 'https://id.example', subject: 'sub' }
export const revokedAt = '2026-03-01T13:00:00.000Z'

/** Opens a store with two teams, a project of each, a user and a session. */
export async function openFilled<Opened extends ProductionStore>({
  openStore,
}: {
  openStore(): Promise<Opened>
}): Promise<Opened> {
  const store = await openStore()
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

export function testChangeFeed(database: TestDatabase): void {
  test('reports that anything may have changed without a cursor, and no change after the newest cursor', async () => {
    const { changes } = await openFilled(database)
    const { cursor, teams } = await changes.since()
    expect(teams).toBeUndefined()
    expect((await changes.since(cursor)).teams).toEqual([])
  })

  describe.each([
    ['the same store', async (store: ProductionStore) => store],
    ['another store', () => database.openStore()],
  ])('with the changes of %s', (_, openWriter) => {
    test.each<[string, (store: Store) => Promise<unknown>, string[]]>([
      ['a new project', (store) => store.addProject(acmeProject('new')), ['acme']],
      ['an updated project', (store) => update(store), ['acme']],
      [
        'projects of two teams',
        (store) => Promise.all([update(store), update(store, 'globex')]),
        ['acme', 'globex'],
      ],
      ['a project of another team', (store) => store.updateProject('globex', 'p-acme', { name: 'x' }), []],
      ['the waitlist', (store) => store.addToWaitlist(entry('new')), []],
      ['a session that was used', (store) => store.touchSession('s', revokedAt), []],
      ['a new session', (store) => store.addSession({ ...session, id: 'new' }), []],
      ['a session that does not exist', (store) => store.revokeSession('none', revokedAt), []],
      ['a user who signs in again', (store) => store.upsertUser(identity, user), []],
    ])('reports the teams whose projects changed: %s', async (_, write, teams) => {
      const store = await openFilled(database)
      const { cursor } = await store.changes.since()
      await write(await openWriter(store))
      expect(new Set((await store.changes.since(cursor)).teams)).toEqual(new Set(teams))
    })

    test.each<[string, (store: Store) => Promise<unknown>]>([
      ['a revoked session', (store) => store.revokeSession('s', revokedAt)],
      ['a removed session', (store) => store.removeExpiredSessions('2026-04-01T00:00:00.000Z')],
      ['a renamed team', (store) => store.renameTeam('globex', 'Globex 2')],
      ['a new team', (store) => store.addTeam({ id: 'new', name: 'New', orgCode: 'org_new' })],
      ['a renamed user', (store) => store.upsertUser(identity, { ...user, givenName: 'Adá' })],
      [
        'a session that is revoked with a project',
        (store) => Promise.all([store.revokeSession('s', revokedAt), update(store)]),
      ],
      [
        'a project that is updated with a session',
        (store) => Promise.all([update(store), store.revokeSession('s', revokedAt)]),
      ],
    ])('reports that anything may have changed: %s', async (_, write) => {
      const store = await openFilled(database)
      const { cursor } = await store.changes.since()
      await write(await openWriter(store))
      expect((await store.changes.since(cursor)).teams).toBeUndefined()
    })
  })

  test('never misses a commit of several writers', async () => {
    const store = await openFilled(database)
    const writers = await Promise.all([1, 2, 3].map(() => database.openStore()))
    let { cursor } = await store.changes.since()
    for (let i = 0; i < 40; i += 1) {
      const teamId = i % 2 === 0 ? 'acme' : 'globex'
      const running = writers.map((writer) => update(writer, teamId))
      await Promise.race(running)
      const changed = await store.changes.since(cursor)
      expect(changed.teams).toContain(teamId)
      await Promise.all(running)
      cursor = (await store.changes.since(changed.cursor)).cursor
    }
  })

  test('fails once the store is closed', async () => {
    const store = await openFilled(database)
    await store.close()
    await expect(store.changes.since()).rejects.toThrow(StoreUnavailableError)
  })
}
