import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { isMainThread } from 'node:worker_threads'
import { describe, expect, test, vi } from 'vitest'
import { auditEntry } from '../../../src/store/audit-entry.js'
import { auditReads } from '../../../src/store/sql/audit.js'
import type { SqlReader } from '../../../src/store/sql/sql-database.js'
import { sqlReads } from '../../../src/store/sql/sql-store.js'
import { isReadableByOthers } from '../../../src/store/sqlite/check-file.js'
import { oldestProgram } from '../../../src/store/sqlite/schema-version.js'
import { testDatabase } from '../database-suite.js'
import { at, fullState } from '../store-suite/records.js'
import { testStore } from '../store-suite.js'
import { acmeProject, entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

testStore('sqlite', () => folder.openStore())
testDatabase('sqlite', {
  run: folder.run,
  openStore: (options) => folder.openStore(undefined, undefined, options),
})

describe('sqlite store: the file', () => {
  // A worker thread, in which mutation runs have their tests, cannot set the umask.
  test.skipIf(process.platform === 'win32' || !isMainThread)(
    'is private, as its log and index are, whatever the umask',
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

  test.skipIf(process.platform === 'win32')(
    'keeps its mode if it exists, also as an empty file',
    async () => {
      await writeFile(folder.database(), '')
      await chmod(folder.database(), 0o644)
      await folder.openStore()
      for (const suffix of ['', '-wal', '-shm']) {
        expect((await stat(`${folder.database()}${suffix}`)).mode & 0o777).toBe(0o644)
      }
      expect(await isReadableByOthers(folder.database())).toBe(true)
      await chmod(folder.database(), 0o640)
      expect(await isReadableByOthers(folder.database())).toBe(false)
    },
  )

  test('has the same content when it is opened again', async () => {
    const first = await folder.openStore()
    await first.load(fullState)
    await first.close()
    expect(await readdir(folder.path())).toEqual(['store.db'])
    expect(await (await folder.openStore()).export()).toStrictEqual(fullState)
  })

  test('has its application id and version on disk while the rest is still in the log', async () => {
    await folder.openStore()
    const header = await readFile(folder.database())
    expect(header.toString('latin1', 68, 72)).toBe('DAPI')
    expect(header.readInt32BE(60)).toBe(oldestProgram)
  })

  test('gets a commit for a known address of the waitlist as for a new one', async () => {
    const store = await folder.openStore()
    const log = async () => (await stat(`${folder.database()}-wal`)).size
    const isAdded: boolean[] = []
    for (const name of ['a', 'a', 'b', 'b', 'a']) {
      const length = await log()
      isAdded.push(await store.addToWaitlist(entry(name)))
      expect(await log()).toBeGreaterThan(length)
    }
    expect(isAdded).toEqual([true, false, true, false, false])
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
    expect(tables.map(({ name }) => name).sort()).toEqual([
      'audit_log',
      'audit_retention',
      'changes',
      'dashboard_schema',
      'projects',
      'provider_logouts',
      'sessions',
      'teams',
      'users',
      'waitlist',
    ])
    expect(tables.every(({ strict }) => strict === 1)).toBe(true)

    const indices = await db.read<{ columns: string; isUnique: number }>(
      `SELECT "unique" AS isUnique, (SELECT group_concat(name) FROM pragma_index_info(list.name)) AS columns
       FROM pragma_index_list('projects') AS list`,
    )
    expect(indices).toContainEqual({ columns: 'team_id,name_key', isUnique: 0 })
    expect(indices.filter(({ isUnique }) => isUnique)).toEqual([{ columns: 'id,team_id', isUnique: 1 }])
  })

  test('is read by indexes, and a team is listed in order without sorting', async () => {
    const db = await folder.openDatabase()
    const plans: string[][] = []
    const explain: SqlReader['read'] = async (sql, ...values) => {
      const steps = await db.read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
      plans.push(
        steps
          .map(({ detail }) => detail)
          .filter((detail) => /^(SEARCH|USE)|SCAN (?!json|ordered|CONSTANT)/.test(detail)),
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
    const list = [
      'SEARCH changes USING PRIMARY KEY (scope=?)',
      'SEARCH projects USING INDEX projects_in_order (team_id=?)',
    ]
    expect(plans).toEqual([
      [
        'SEARCH sessions USING INDEX sqlite_autoindex_sessions_1 (id=?)',
        'SEARCH users EXISTS USING COVERING INDEX sqlite_autoindex_users_1 (id=?)',
        'SEARCH users USING INDEX sqlite_autoindex_users_1 (id=?)',
        'SEARCH teams USING INDEX sqlite_autoindex_teams_2 (org_code=?)',
        'SEARCH changes USING PRIMARY KEY (scope=?)',
        'SEARCH teams USING INDEX sqlite_autoindex_teams_2 (org_code=?)',
      ],
      ['SEARCH teams USING INDEX sqlite_autoindex_teams_2 (org_code=?)'],
      ['SEARCH users USING INDEX sqlite_autoindex_users_1 (id=?)'],
      list,
      list,
      ['SEARCH changes USING PRIMARY KEY (scope=?)'],
      // A project of another team is not read.
      ['SEARCH projects USING INDEX sqlite_autoindex_projects_1 (id=? AND team_id=?)'],
    ])
  })

  test('refuses a project of a team that does not exist', async () => {
    const store = await folder.openStore()
    await expect(store.addProject(acmeProject('p'))).rejects.toThrow('was removed meanwhile')
    expect((await store.export()).projects).toEqual([])
  })

  test('lets no statement replace an entry of the audit log', async () => {
    const store = await folder.openStore()
    const entry = auditEntry({ via: 'a test' }, { action: 'sign-in' })
    await store.appendToAudit(entry)
    await folder.run('DELETE FROM audit_retention')
    const columns = "id, at, action, outcome, via) VALUES ('?', '@', 'sign-out', 'success', '')"
    for (const sql of [
      `INSERT OR REPLACE INTO audit_log (${columns}`,
      `REPLACE INTO audit_log (${columns}`,
      'DELETE FROM audit_log',
    ]) {
      await expect(folder.run(sql.replace('?', entry.id).replace('@', entry.at))).rejects.toThrow(
        'the audit log is append-only',
      )
    }
    expect(await store.auditAfter(undefined, 10, { action: 'sign-in' })).toEqual([entry])
  })

  test('reads each page of the audit log from an index', async () => {
    const store = await folder.openStore()
    const connection = await folder.openConnection()
    const plans: Record<string, unknown> = {}
    const read = vi.spyOn(connection, 'all')
    const { auditAfter } = auditReads(connection)
    await auditAfter({ at: at(0), id: '' }, 10, { since: at(0), until: at(1), action: 'session' })
    for (const [sql, ...values] of [...read.mock.calls]) {
      const rows = await connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values)
      plans[Object.keys(plans).length] = rows.map(({ detail }) => detail)
    }
    expect(Object.values(plans)).toEqual([['SEARCH audit_log USING PRIMARY KEY (at>? AND (at,id)<(?,?))']])
    await store.close()
  })
})
