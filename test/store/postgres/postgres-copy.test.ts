import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseAddress } from '../../../src/store/database-address.js'
import { openToRead } from '../../../src/store/open/open-store.js'
import { type Endpoint, testCopy, testRoundTrip } from '../copy-suite.js'
import { execSql } from '../sqlite/database-files.js'
import { addressOf, createDatabase, noPostgres } from './postgres-database.js'

type Database = Awaited<ReturnType<typeof createDatabase>>

describe.skipIf(noPostgres)('over PostgreSQL', () => {
  const idle: Database[] = []
  const used: Database[] = []
  let folder: string
  let files = 0
  const postgres: Endpoint = {
    async address() {
      const database = idle.pop() ?? (await createDatabase())
      used.push(database)
      return addressOf(database.url)
    },
    async exec(address, sql) {
      const { run } = used.find(({ url }) => url === addressText(address)) as Database
      await run(sql)
    },
  }
  const sqlite: Endpoint = {
    async address() {
      files += 1
      const file = join(folder, `${files}.db`)
      return { kind: 'sqlite', name: file, file }
    },
    exec: ({ name }, sql) => execSql(name, sql),
  }
  const addressText = (address: DatabaseAddress) =>
    used.find(({ url }) => addressOf(url).name === address.name)?.url

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'copy-'))
  })
  afterEach(async () => {
    for (const database of used.splice(0)) {
      await database.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      idle.push(database)
    }
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    for (const database of idle) await database.drop()
  })

  testCopy('SQLite to PostgreSQL', sqlite, postgres)
  testCopy('PostgreSQL to SQLite', postgres, sqlite)
  testRoundTrip('SQLite to PostgreSQL', sqlite, postgres, 4)
  testRoundTrip('PostgreSQL to PostgreSQL', postgres, postgres, 2)

  test('a source without tables is refused, and no tables are created', async () => {
    const address = await postgres.address()
    await expect(openToRead(address)).rejects.toThrow('it has no tables of this program')
    expect(await used[0]?.run("SELECT relname FROM pg_class WHERE relname = 'teams'")).toEqual([])
  })
})
