import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../src/store/sqlite/connection.js'
import { checkDatabase } from '../../src/store/sqlite/maintain.js'
import { emptyFolder, run, startProcess } from '../cli/cli-process.js'
import { runDatabase } from '../cli/production/run-database.js'
import { seededDatabase, serve } from '../server/serving.js'
import { openSqliteStore } from '../store/open-stores.js'
import { addressesIn, createDatabase, execSql } from '../store/sqlite/database-files.js'

/** Litestream 0.3, from npm. The documentation recommends a later version, which blocks writers less. */
function findLitestream(): string {
  try {
    const name = `@flydotio/litestream-${process.platform}-${process.arch}/litestream`
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return 'litestream'
  }
}
const litestream = findLitestream()
const isMissing = spawnSync(litestream, ['version']).error !== undefined

describe('Litestream', () => {
  test.skipIf(isMissing)('makes no request fail, and replicates every acknowledged write', async () => {
    const folder = emptyFolder()
    const database = join(folder, 'live.db')
    const { cookie } = await seededDatabase(database)
    const server = await serve(database)
    const replica = `file://${join(folder, 'replica')}`
    const replicating = startProcess(litestream, ['replicate', database, replica])
    await replicating.until('stderr', /replicating to/)
    const acknowledged: string[] = []
    // Long enough for more than one checkpoint of the log by Litestream.
    const description = 'x'.repeat(40_000)
    const write = async (client: number) => {
      for (let i = 0; i < 60; i += 1) {
        const name = `${client}-${i}`
        const headers = { cookie, 'content-type': 'application/json' }
        const body = JSON.stringify({ name, description })
        const response = await fetch(`${server.url}/v1/projects`, { method: 'POST', headers, body })
        // An unread response would keep its connection busy.
        await response.arrayBuffer()
        expect(response.status).toBe(201)
        // A cached response would lack the project if the commit was not noticed.
        expect(await (await fetch(`${server.url}/v1/projects`, { headers })).text()).toContain(`"${name}"`)
        acknowledged.push(name)
      }
    }
    await Promise.all([0, 1, 2, 3].map(write))
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    replicating.child.kill('SIGINT')
    expect((await replicating.ended).code).toBe(0)

    const copy = join(folder, 'copy.db')
    const restored = await startProcess(litestream, ['restore', '-o', copy, replica]).ended
    expect(restored.code, restored.stderr).toBe(0)
    expect(await runDatabase('restore', database, copy, '--yes', '--json')).toMatchObject({ code: 0 })
    expect((await checkDatabase(database)).checks.filter(({ ok }) => !ok)).toEqual([])
    const store = await openSqliteStore(database)
    const stored = (await store.listProjects('team-acme')).projects.map(({ name }) => name)
    await store.close()
    expect(stored).toEqual(expect.arrayContaining(acknowledged))
  })

  test('blocks no command except a restore; removals and vacuum report that the log still has the records', async () => {
    const folder = emptyFolder()
    const database = await createDatabase(join(folder, 'live.db'), ['ada', 'canary'])
    await execSql(
      database,
      `CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
       CREATE TABLE _litestream_lock (id INTEGER);
       INSERT INTO _litestream_seq VALUES (1, 1)`,
    )
    const reader = await openConnection(database, 'write', 1000)
    onTestFinished(() => reader.close())
    await reader.exec('BEGIN')
    await reader.all('SELECT count(1) FROM _litestream_seq')

    expect(await runDatabase('check', database)).toMatchObject({ code: 0 })
    expect(await runDatabase('migrate', database)).toMatchObject({ code: 0 })
    expect(await runDatabase('backup', database, join(folder, 'backup.db'))).toMatchObject({ code: 0 })
    const copied = await run(['database', 'copy', '--from', database, '--to', join(folder, 'copy.db')])
    expect(copied).toMatchObject({ code: 0 })
    const [removed, vacuumed] = await Promise.all([
      run(['user', 'remove', 'canary@example.com', '--yes', '--database', database]),
      runDatabase('vacuum', database),
    ])
    for (const { code, stderr } of [removed, vacuumed])
      expect([code, stderr]).toEqual([1, expect.stringContaining('database vacuum')])
    const restored = await runDatabase('restore', database, join(folder, 'backup.db'), '--yes')
    expect([restored.code, restored.stderr]).toEqual([
      1,
      expect.stringContaining('Another process has the database'),
    ])
    await reader.exec('ROLLBACK')
    await reader.close()

    expect(await addressesIn(database)).toEqual(['ada'])
    expect(await runDatabase('restore', database, join(folder, 'backup.db'), '--yes')).toMatchObject({
      code: 0,
    })
    expect(await addressesIn(database)).toEqual(['ada', 'canary'])
    expect(await addressesIn(join(folder, 'copy.db'))).toEqual(['ada', 'canary'])
  })
})
