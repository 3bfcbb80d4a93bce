import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../src/store/sqlite/connection.js'
import { checkDatabase } from '../../src/store/sqlite/maintain.js'
import { emptyFolder, run } from '../cli/cli-process.js'
import { runDatabase } from '../cli/production/run-database.js'
import { createClient, seededDatabase, serve } from '../server/serving.js'
import { openSqliteStore } from '../store/open-stores.js'
import { addressesIn, createDatabase, execSql } from '../store/sqlite/database-files.js'

type Counts = { snapshots: number; checkpoints: number; restarts: number; frames: number }

/** Replicates a database in a process of its own, as Litestream does. */
function startReplica(database: string, replica: string) {
  const script = fileURLToPath(new URL('./wal-replica.js', import.meta.url))
  const child = spawn(process.execPath, [script, database, replica], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let counts: Counts = { snapshots: 0, checkpoints: 0, restarts: 0, frames: 0 }
  createInterface(child.stdout).on('line', (line) => {
    counts = JSON.parse(line)
  })
  const ended = once(child, 'close')
  return {
    counts: () => counts,
    async end() {
      child.stdin.end()
      expect(await ended).toEqual([0, null])
      return counts
    },
  }
}

describe('a load like that of Litestream', () => {
  test('costs no request, and its replica has every acknowledged write', async () => {
    const folder = emptyFolder()
    const [database, replica] = [join(folder, 'live.db'), join(folder, 'replica.db')]
    const { cookie } = await seededDatabase(database)
    const server = await serve(database)
    const litestream = startReplica(database, replica)
    const acknowledged = new Map<string, string>()
    const failed: unknown[] = []
    const isEnough = () =>
      failed.length > 0 || litestream.counts().restarts >= 5 || litestream.counts().snapshots > 1
    const write = async (client: number) => {
      const { call, list, ready, end } = createClient(server.url, cookie)
      const send = async (method: string, path: string, body: object, expected: number) => {
        const response = await call(method, path, body)
        if (!('status' in response) || response.status !== expected) throw response
        const { project } = response.body as { project: { id: string; description: string } }
        acknowledged.set(project.id, project.description)
        return project.id
      }
      for (let i = 0; !isEnough(); i += 1) {
        const name = `${client}-${i}`
        const id = await send('POST', '/v1/projects', { name }, 201)
        // Some pages of the log.
        const description = `${i} `.padEnd(40_000, 'x')
        await send('PATCH', `/v1/projects/${id}`, { description }, 200)
        // A response from the cache would lack it after a commit that was not noticed.
        await send('PATCH', `/v1/projects/${id}`, { description: name }, 200)
        if (i % 20 === 0) expect(JSON.stringify(await list())).toContain(`"description":"${name}"`)
        if (i % 20 === 0) expect(await ready()).toMatchObject({ status: 200 })
      }
      end()
    }
    await Promise.all([0, 1, 2, 3].map((client) => write(client).catch((error) => failed.push(error))))
    expect(failed).toEqual([])
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    const { snapshots, checkpoints } = await litestream.end()
    // The first one only: no frame was overwritten before it was copied.
    expect(snapshots).toBe(1)
    expect(checkpoints).toBeGreaterThanOrEqual(5)
    const restored = await runDatabase('restore', database, replica, '--yes', '--json')
    expect(restored).toMatchObject({ code: 0 })
    const { kept } = JSON.parse(restored.stdout)
    for (const file of [database, kept]) {
      expect((await checkDatabase(file)).checks.filter(({ ok }) => !ok)).toEqual([])
      const store = await openSqliteStore(file)
      const stored = new Map(
        (await store.listProjects('team-acme')).projects.map((found) => [found.id, found.description]),
      )
      await store.close()
      expect([...acknowledged].filter(([id, description]) => stored.get(id) !== description)).toEqual([])
    }
  })

  test('stops no command but a restore; removals and vacuum say that the log has them still', async () => {
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
