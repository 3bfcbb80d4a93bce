import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { isMainThread } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { auditReads } from '../../../src/store/sql/audit.js'
import type { SqlReader } from '../../../src/store/sql/sql-database.js'
import { sqlReads } from '../../../src/store/sql/sql-store.js'
import { isReadableByOthers } from '../../../src/store/sqlite/check-file.js'
import { oldestProgram } from '../../../src/store/sqlite/schema-version.js'
import { testDatabase } from '../database-suite.js'
import { at } from '../store-suite/records.js'
import { testStore } from '../store-suite.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

testStore('sqlite', () => folder.openStore())
testDatabase('sqlite', {
  run: folder.run,
  attacks: ['INSERT OR REPLACE', 'REPLACE'].map(
    (verb) =>
      `${verb} INTO audit_log (id, at, action, outcome, via) VALUES ('ID', 'TIME', 'sign-out', 'success', '')`,
  ),
  openStore: (options) => folder.openStore(undefined, undefined, options),
})

describe('sqlite store: the file', () => {
  // A worker thread cannot set the umask. Mutation runs use worker threads.
  test.skipIf(process.platform === 'win32' || !isMainThread)(
    'is private, with its log and index, whatever the umask is',
    async () => {
      const modes = async () => {
        const files = await Promise.all(
          ['', '-wal', '-shm'].map((suffix) => stat(`${folder.database()}${suffix}`)),
        )
        return files.map(({ mode }) => (mode & 0o777).toString(8))
      }
      for (const umask of [0o000, 0o022, 0o277]) {
        const before = process.umask(umask)
        try {
          const store = await folder.openStore()
          await store.addToWaitlist(entry('a'))
          expect(await modes()).toEqual(['600', '600', '600'])
          await store.close()
        } finally {
          process.umask(before)
        }
        await rm(folder.database())
      }
    },
  )

  test.skipIf(process.platform === 'win32')('keeps its mode if it exists, even if it is empty', async () => {
    await writeFile(folder.database(), '')
    await chmod(folder.database(), 0o644)
    await folder.openStore()
    for (const suffix of ['', '-wal', '-shm']) {
      expect((await stat(`${folder.database()}${suffix}`)).mode & 0o777).toBe(0o644)
    }
    expect(await isReadableByOthers(folder.database())).toBe(true)
    await chmod(folder.database(), 0o640)
    expect(await isReadableByOthers(folder.database())).toBe(false)
  })

  test('has its application id and version on disk while the rest is still in the log', async () => {
    await folder.openStore()
    const header = await readFile(folder.database())
    expect(header.toString('latin1', 68, 72)).toBe('DAPI')
    expect(header.readInt32BE(60)).toBe(oldestProgram)
  })

  test('is written with WAL, synchronous=FULL, foreign keys and the given busy timeout', async () => {
    const settings = await (await folder.openDatabase()).transaction(async (connection) => ({
      ...(await connection.all('PRAGMA journal_mode'))[0],
      ...(await connection.all('PRAGMA synchronous'))[0],
      ...(await connection.all('PRAGMA foreign_keys'))[0],
      ...(await connection.all('PRAGMA busy_timeout'))[0],
    }))
    expect(settings).toEqual({ journal_mode: 'wal', synchronous: 2, foreign_keys: 1, timeout: 1000 })
  })

  test('has strict tables, and no unique index on names', async () => {
    const db = await folder.openDatabase()
    const tables = await db.read<{ name: string; strict: number }>(
      `SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%'`,
    )
    expect(tables).not.toEqual([])
    expect(tables.filter(({ strict }) => strict !== 1)).toEqual([])

    const indices = await db.read<{ columns: string; isUnique: number }>(
      `SELECT "unique" AS isUnique, (SELECT group_concat(name) FROM pragma_index_info(list.name)) AS columns
       FROM pragma_index_list('projects') AS list`,
    )
    expect(indices).toContainEqual({ columns: 'team_id,name_key', isUnique: 0 })
    expect(indices.filter(({ isUnique }) => isUnique)).toEqual([{ columns: 'id,team_id', isUnique: 1 }])
  })

  test('is read by indexes, and a team is listed in order without sorting', async () => {
    const db = await folder.openDatabase()
    const plans = new Map<string, string[]>()
    const explain: SqlReader['read'] = async (sql, ...values) => {
      const steps = await db.read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
      plans.set(
        sql,
        steps.map(({ detail }) => detail),
      )
      return []
    }
    const { read, readLarge } = { read: explain, readLarge: explain }
    const reads = sqlReads({ dialect: db.dialect, read, readLarge })
    await reads.caller('s')
    await reads.teamOfOrganization('o')
    await reads.user('u')
    await reads.listProjects('t')
    await reads.listProjectNames('t')
    await reads.teamSize('t')
    await reads.project('t', 'p')
    await auditReads({ read, readLarge, all: read } as never).auditAfter({ at: at(0), id: '' }, 10, {
      since: at(0),
      until: at(1),
      action: 'session',
    })
    expect(plans.size).toBe(8)
    for (const [sql, steps] of plans) {
      expect(steps, sql).toContainEqual(expect.stringMatching(/^SEARCH /))
      expect(
        steps.filter((step) => /^USE|SCAN (?!json|ordered|CONSTANT)/.test(step)),
        sql,
      ).toEqual([])
    }
    // The index begins with the team, so that projects of other teams are not read.
    expect([...plans.values()].flat()).toContain(
      'SEARCH projects USING INDEX sqlite_autoindex_projects_1 (id=? AND team_id=?)',
    )
  })
})
