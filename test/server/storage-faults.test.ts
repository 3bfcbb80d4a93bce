import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openConnection } from '../../src/store/sqlite/connection.js'
import { emptyFolder, run } from '../cli/cli-process.js'
import { noMounts, smallDisk } from '../store/small-disk.js'
import { createClient, type ReceivedResponse, seededDatabase, serve } from './serving.js'

/** A server over a seeded database in a folder, and a client. */
async function serveIn(folder: string, env: Record<string, string> = {}) {
  const file = join(folder, 'live.db')
  const { cookie } = await seededDatabase(file)
  const { url } = await serve(file, env)
  const client = createClient(url, cookie)
  onTestFinished(client.end)
  expect(await client.ready()).toMatchObject({ status: 200 })
  return { file, client }
}
type Client = Awaited<ReturnType<typeof serveIn>>['client']

const readiness = (client: Client, status: number) =>
  expect
    .poll(async () => ((await client.ready()) as ReceivedResponse).status, { timeout: 15_000, interval: 100 })
    .toBe(status)

/** The service without its database: writes fail, it is not ready, and reads succeed. */
async function expectFaulty(client: Client): Promise<void> {
  const refused = await client.create('refused')
  expect(refused).toMatchObject({
    status: 503,
    body: { code: 'SERVICE_UNAVAILABLE' },
    headers: { 'retry-after': '1' },
  })
  await readiness(client, 503)
  expect(await client.list()).toMatchObject({ status: 200 })
}

/** The service works again, without a restart. */
async function expectWell(client: Client, name: string): Promise<void> {
  await readiness(client, 200)
  expect(await client.create(name)).toMatchObject({ status: 201 })
  expect(JSON.stringify(await client.list())).toContain(name)
}

/** Removes the files of a database. */
const removeAll = (file: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

describe('serve continues when the database', () => {
  test('is locked by another process', async () => {
    // The use of the session has to be saved every three seconds, which fails meanwhile.
    const { file, client } = await serveIn(emptyFolder(), { DASHBOARD_API_SESSION_IDLE: '30s' })
    const other = await openConnection(file, 'write', 1000)
    await other.exec('BEGIN IMMEDIATE')
    await expectFaulty(client)
    const started = performance.now()
    expect(await client.list()).toMatchObject({ status: 200 })
    expect(performance.now() - started).toBeLessThan(3_000)
    await other.exec('ROLLBACK')
    await other.close()
    await expectWell(client, 'after the lock')
  })

  test('was removed, and is restored from a backup', async () => {
    const folder = emptyFolder()
    const { file, client } = await serveIn(folder)
    expect(await client.create('in the backup')).toMatchObject({ status: 201 })
    const backup = join(folder, 'backup.db')
    expect((await run(['database', 'backup', backup, '--database', file])).code).toBe(0)
    removeAll(file)
    await expectFaulty(client)
    expect(existsSync(file)).toBe(false)
    renameSync(backup, file)
    await expectWell(client, 'after the removal')
    expect(JSON.stringify(await client.list())).toContain('in the backup')
  })

  test('was replaced by another file, and by one that is no database', async () => {
    const folder = emptyFolder()
    const { file, client } = await serveIn(folder)
    const backup = join(folder, 'backup.db')
    expect((await run(['database', 'backup', backup, '--database', file])).code).toBe(0)
    expect(await client.create('not in the backup')).toMatchObject({ status: 201 })

    const nonsense = join(folder, 'nonsense')
    writeFileSync(nonsense, 'nonsense'.repeat(1000))
    renameSync(nonsense, file)
    await expectFaulty(client)

    renameSync(backup, file)
    await expectWell(client, 'after the replacement')
    expect(JSON.stringify(await client.list())).not.toContain('not in the backup')
    // The log of the removed file was not written over the new one.
    const { code } = await run(['database', 'check', '--database', file])
    expect(code).toBe(0)
    expect(readdirSync(folder).some((name) => name.includes('-wal.replaced-'))).toBe(true)
  })

  test.skipIf(noMounts)(`is on a full disk${noMounts ? ` (skipped: ${noMounts})` : ''}`, async () => {
    const disk = smallDisk('4m')
    const { client } = await serveIn(disk.path)
    const filler = join(disk.path, 'filler')
    try {
      writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
    // Free space in the existing log is used first.
    await expect
      .poll(
        async () =>
          ((await client.create(`${'x'.repeat(30_000)}${Math.random()}`)) as ReceivedResponse).status,
        {
          timeout: 15_000,
          interval: 1,
        },
      )
      .toBe(503)
    await readiness(client, 503)
    expect(await client.list()).toMatchObject({ status: 200 })
    rmSync(filler)
    await expectWell(client, 'after the full disk')
  })

  test.skipIf(noMounts)(`is on a read-only mount${noMounts ? ` (skipped: ${noMounts})` : ''}`, async () => {
    const disk = smallDisk('8m')
    const { file, client } = await serveIn(disk.path)
    expect(await client.create('before')).toMatchObject({ status: 201 })
    const copy = join(disk.other, 'live.db')
    expect((await run(['database', 'backup', copy, '--database', file])).code).toBe(0)
    disk.coverReadOnly()
    await expectFaulty(client)
    disk.makeWritable()
    await expectWell(client, 'on the other disk')
    expect(JSON.stringify(await client.list())).toContain('before')
  })
})
