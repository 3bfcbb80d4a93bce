import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionOptions } from '../../../src/store/postgres/connection-options.js'
import { createPostgresFeed } from '../../../src/store/postgres/pg-changes.js'
import { connect } from '../../../src/store/postgres/pg-connection.js'
import { openFilled, update } from '../database-suite/change-feed.js'
import { addressOf, databaseForEachTest, noPostgres } from './postgres-database.js'

describe.skipIf(noPostgres)('the change feed over PostgreSQL', () => {
  const database = databaseForEachTest()

  test('reports that anything may have changed after a cursor of another server', async () => {
    const { changes } = await openFilled(database)
    const { cursor } = await changes.since()
    expect((await changes.since(`1${cursor}`)).teams).toBeUndefined()
  })

  test.each(['projects', 'sessions'])(
    'reports that anything may have changed after TRUNCATE %s',
    async (table) => {
      const store = await openFilled(database)
      const { cursor } = await store.changes.since()
      await database.run(`TRUNCATE ${table}`)
      expect((await store.changes.since(cursor)).teams).toBeUndefined()
    },
  )

  test('reports a commit whose transaction began before those of earlier commits', async () => {
    const store = await openFilled(database)
    const commit = await database.begin("UPDATE projects SET status = 'slow' WHERE id = 'p-acme'")
    await update(store, 'globex')
    const { cursor } = await store.changes.since()
    expect((await store.project('acme', 'p-acme'))?.status).toBe('active')
    await commit()
    expect((await store.changes.since(cursor)).teams).toEqual(['acme'])
  })

  test('is planned once on each connection', async () => {
    await openFilled(database)
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
