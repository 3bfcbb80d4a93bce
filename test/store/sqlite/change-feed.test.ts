import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { acmeProject, entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

const session = {
  id: 's',
  userId: 'ada',
  orgCode: 'org_acme',
  permissions: [],
  expiresAt: '2026-03-02T12:00:00.000Z',
}
const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const revokedAt = '2026-03-01T13:00:00.000Z'

/** A store with two teams, a project of each, a user and a session. */
async function openFilled() {
  const store = await folder.openStore()
  for (const id of ['acme', 'globex']) {
    await store.addTeam({ id, name: id, orgCode: `org_${id}` })
    await store.addProject({ ...acmeProject(`p-${id}`), teamId: id })
  }
  await store.addUser(user)
  await store.addSession(session)
  return store
}

const pause = (store: Store, teamId = 'acme') =>
  store.updateProject(teamId, `p-${teamId}`, { status: 'paused' })

describe('the change feed', () => {
  test('has a new version after every commit, by any store on the file', async () => {
    const store = await openFilled()
    const other = await folder.openStore()
    for (const writer of [store, other, store, other]) {
      const before = store.changes.version()
      expect(store.changes.version()).toBe(before)
      await pause(writer)
      expect(store.changes.version()).not.toBe(before)
    }
  })

  test('reports that anything may have changed without a cursor, and no change after the newest cursor', async () => {
    const { changes } = await openFilled()
    const { cursor, teams } = await changes.since()
    expect(teams).toBeUndefined()
    expect(await changes.since(cursor)).toEqual({ cursor, teams: [] })
  })

  test.each([
    ['another file', 0],
    ['another schema', 1],
    ['a later commit', 2],
  ])('reports that anything may have changed after a cursor of %s', async (_, part) => {
    const { changes } = await openFilled()
    const { cursor } = await changes.since()
    const foreign = cursor.split('.').map((number, i) => (i === part ? Number(number) + 1 : number))
    expect(await changes.since(foreign.join('.'))).toEqual({ cursor, teams: undefined })
  })

  test.each<[string, (store: Store) => Promise<unknown>, string[]]>([
    ['a new project', (store) => store.addProject(acmeProject('new')), ['acme']],
    ['an updated project', (store) => pause(store), ['acme']],
    [
      'projects of two teams',
      (store) => Promise.all([pause(store), pause(store, 'globex')]),
      ['acme', 'globex'],
    ],
    ['a project of another team', (store) => store.updateProject('globex', 'p-acme', { name: 'x' }), []],
    ['the waitlist', (store) => store.addToWaitlist(entry('new')), []],
    ['a session that was used', (store) => store.touchSession('s', revokedAt), []],
    ['a new session', (store) => store.addSession({ ...session, id: 'new' }), []],
  ])('reports the teams whose projects changed: %s', async (_, write, teams) => {
    const store = await openFilled()
    const { cursor } = await store.changes.since()
    await write(store)
    expect(new Set((await store.changes.since(cursor)).teams)).toEqual(new Set(teams))
  })

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['a revoked session', (store) => store.revokeSession('s', revokedAt)],
    ['a removed session', (store) => store.removeExpiredSessions('2026-04-01T00:00:00.000Z')],
    ['a renamed team', (store) => store.renameTeam('globex', 'Globex 2')],
  ])('reports that anything may have changed: %s', async (_, write) => {
    const store = await openFilled()
    const { cursor } = await store.changes.since()
    await write(store)
    expect((await store.changes.since(cursor)).teams).toBeUndefined()
  })

  test.each(['before', 'after'])(
    'reports that anything may have changed where a session is revoked in the commit of a project, %s it',
    async (order) => {
      const store = await openFilled()
      const { cursor } = await store.changes.since()
      const version = store.changes.version()
      const writes = [() => pause(store), () => store.revokeSession('s', revokedAt)]
      if (order === 'before') writes.reverse()
      await Promise.all(writes.map((write) => write()))
      expect(store.changes.version()).not.toBe(version)
      expect((await store.changes.since(cursor)).teams).toBeUndefined()
      expect((await store.caller('s'))?.session.revokedAt).toBe(revokedAt)
    },
  )

  test('reports that anything may have changed where another database was copied over the file', async () => {
    const store = await openFilled()
    const backup = folder.path('backup.db')
    const connection = await folder.openConnection()
    await connection.backup(backup)
    await pause(store)
    const { cursor } = await store.changes.since()
    await (await folder.openConnection('write', backup)).backup(folder.database())
    expect((await store.changes.since(cursor)).teams).toBeUndefined()
    expect((await store.project('acme', 'p-acme'))?.status).toBe('active')
  })

  test('has no version once the store is closed', async () => {
    const store = await openFilled()
    await store.close()
    expect(() => store.changes.version()).toThrow(StoreUnavailableError)
    await expect(store.changes.since()).rejects.toThrow(StoreUnavailableError)
  })
})
