import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionOptions } from '../../../src/store/postgres/connection-options.js'
import { createPostgresFeed } from '../../../src/store/postgres/pg-changes.js'
import { connect } from '../../../src/store/postgres/pg-connection.js'
import { type Store, StoreUnavailableError } from '../../../src/store/store.js'
import { acmeProject, entry } from '../sqlite/sqlite-folder.js'
import { addressOf, databaseForEachTest, noPostgres } from './postgres-database.js'

const session = {
  id: 's',
  userId: 'ada',
  orgCode: 'org_acme',
  permissions: [],
  expiresAt: '2026-03-02T12:00:00.000Z',
}
const user = { id: 'ada', email: 'ada@example.com', givenName: 'Ada', familyName: 'Osei', picture: '' }
const identity = { issuer: 'https://id.example', subject: 'sub' }
const revokedAt = '2026-03-01T13:00:00.000Z'

const pause = (store: Store, teamId = 'acme') =>
  store.updateProject(teamId, `p-${teamId}`, { status: randomUUID() })

describe.skipIf(noPostgres)('the change feed over PostgreSQL', () => {
  const database = databaseForEachTest()

  /** A store with two teams, a project of each, a user and a session. */
  async function openFilled() {
    const store = await database.openStore()
    for (const id of ['acme', 'globex']) {
      await store.addTeam({ id, name: id, orgCode: `org_${id}` })
      await store.addProject({ ...acmeProject(`p-${id}`), teamId: id })
    }
    await store.upsertUser(identity, user)
    await store.addSession(session)
    return store
  }

  test('reports that anything may have changed without a cursor, and no change after the newest cursor', async () => {
    const { changes } = await openFilled()
    const { cursor, teams } = await changes.since()
    expect(teams).toBeUndefined()
    expect((await changes.since(cursor)).teams).toEqual([])
  })

  test('reports that anything may have changed after a cursor of another server', async () => {
    const { changes } = await openFilled()
    const { cursor } = await changes.since()
    expect((await changes.since(`1${cursor}`)).teams).toBeUndefined()
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
    ['a session that does not exist', (store) => store.revokeSession('none', revokedAt), []],
    ['a user who signs in again', (store) => store.upsertUser(identity, user), []],
  ])('reports the teams whose projects changed, by any store: %s', async (_, write, teams) => {
    const store = await openFilled()
    const { cursor } = await store.changes.since()
    await write(await database.openStore())
    expect(new Set((await store.changes.since(cursor)).teams)).toEqual(new Set(teams))
  })

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['a revoked session', (store) => store.revokeSession('s', revokedAt)],
    ['a removed session', (store) => store.removeExpiredSessions('2026-04-01T00:00:00.000Z')],
    ['a renamed team', (store) => store.renameTeam('globex', 'Globex 2')],
    ['a new team', (store) => store.addTeam({ id: 'new', name: 'New', orgCode: 'org_new' })],
    ['a renamed user', (store) => store.upsertUser(identity, { ...user, givenName: 'Adá' })],
    ['no projects any more', () => database.run('TRUNCATE projects')],
    ['no sessions any more', () => database.run('TRUNCATE sessions')],
  ])('reports that anything may have changed, by any store: %s', async (_, write) => {
    const store = await openFilled()
    const { cursor } = await store.changes.since()
    await write(await database.openStore())
    expect((await store.changes.since(cursor)).teams).toBeUndefined()
  })

  test('reports a commit whose transaction began before those of earlier commits', async () => {
    const store = await openFilled()
    const commit = await database.begin("UPDATE projects SET status = 'slow' WHERE id = 'p-acme'")
    await pause(store, 'globex')
    const { cursor } = await store.changes.since()
    expect((await store.project('acme', 'p-acme'))?.status).toBe('active')
    await commit()
    expect((await store.changes.since(cursor)).teams).toEqual(['acme'])
  })

  test('never misses a commit of several writers', async () => {
    const store = await openFilled()
    const writers = [await database.openStore(), await database.openStore(), await database.openStore()]
    let { cursor } = await store.changes.since()
    for (let i = 0; i < 40; i += 1) {
      const teamId = i % 2 === 0 ? 'acme' : 'globex'
      const running = writers.map((writer) => pause(writer, teamId))
      await Promise.race(running)
      const changed = await store.changes.since(cursor)
      expect(changed.teams).toContain(teamId)
      await Promise.all(running)
      cursor = (await store.changes.since(changed.cursor)).cursor
    }
  })

  test('fails once the store is closed', async () => {
    const store = await openFilled()
    await store.close()
    await expect(store.changes.since()).rejects.toThrow(StoreUnavailableError)
  })

  test('is planned once on each connection', async () => {
    await openFilled()
    const options = await connectionOptions(addressOf(database.url()), {})
    const connection = await connect(options, { connectMs: 5000, statementMs: 5000 })
    onTestFinished(connection.close)
    const feed = createPostgresFeed({ repeat: (work) => work(connection) })
    let cursor: string | undefined
    for (let i = 0; i < 10; i += 1) cursor = (await feed.since(cursor)).cursor
    const planned = await connection.all(
      `SELECT generic_plans::int AS once, custom_plans::int AS "eachTime" FROM pg_prepared_statements
       WHERE statement LIKE '%pg_current_snapshot%' AND statement NOT LIKE '%pg_prepared_statements%'`,
    )
    expect(planned).toEqual([{ once: 10, eachTime: 0 }])
  })
})
