import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { knownVersion as knownPostgresVersion } from '../../src/store/postgres/schema-version.js'
import { openConnection } from '../../src/store/sqlite/connection.js'
import { checkDatabase, migrateDatabase } from '../../src/store/sqlite/maintain.js'
import { knownVersion } from '../../src/store/sqlite/schema-version.js'
import { execSql } from './sqlite/database-files.js'
import { folderForEachTest } from './sqlite/sqlite-folder.js'
import { isTaken } from './store-suite/records.js'

/**
 * The SHA-256 of each migration. Databases have run them: a change of the schema is a new file. Only what no release
 * has yet may be edited.
 */
const digests = {
  'postgres/0001-tables.sql': 'e7297cb709f7452a97ba4198ce460f8dfd2334179beb3853efa6857278f4ab2f',
  'postgres/0002-request-counts.sql': '292d19bc5e20b0cb651148482bbe2fce7c33a9bae6637322068d005aa7edfd43',
  'postgres/0003-audit-log.sql': 'bd40b3bbae7a21c126616e3eaa78111b011b40ad35889ce047a17de83f38f375',
  'postgres/0004-provider-sessions.sql': '41fcd44a5c3e99b7aeefacc997ca4c1376545de0a967e6ccf269b999bcbe85d7',
  'postgres/0005-team-versions.sql': 'd73e8fe4a0a3dd20bc0133107451f62e0382d1e028cda6662b1df8b067cdc91c',
  'sqlite/0001-tables.sql': 'e0aa5cbce25e9657cc5765aa5c94362b173e693b39d148062d186b39b42e62a8',
  'sqlite/0002-identities.sql': '6ccf0fc3e674ac8cc00f2c60cc2ba83043019bfe45e02fd426e02f6db5387ccf',
  'sqlite/0003-changes.sql': '3fffb7b0a6e289746e41e911c68757f64df6a220ddca2eb65c6eceeb9d4f58f0',
  'sqlite/0004-team-sizes.sql': 'd28cefae763f3a33b8db8a4d7e41bf73b0a91686d40dc408609c45148b126d5c',
  'sqlite/0005-schema-version.sql': '6b8b99695256a15f33f132c72d80448da29f1c845d140d8ad2561d3ceb6aef30',
  'sqlite/0006-audit-log.sql': '23bc9a0d6804fcd942e0d2eea17d8ed31b0a0a9f5c86cec5c907a0ff1e40ca22',
  'sqlite/0007-provider-sessions.sql': 'bc5f22b51a13f6b692af5b6b43ca95ebb15401da490fb2ecd840754ee3205437',
  'sqlite/0008-foreign-ids.sql': '70c4cc0daed426250ae4d0529033f54440a81ad22e1a83e7ccefae9b960c46ca',
  'sqlite/0009-team-versions.sql': '59ee0e89805ace2036d1459ec0a4451edbdac1bdbcbce720ee1718133add5047',
}

const here = new URL('.', import.meta.url)
const folders = ['postgres', 'sqlite']
const filesOf = (kind: string) => readdirSync(new URL(`../../migrations/${kind}/`, here)).sort()

describe('the files of the migrations', () => {
  test('are the ones that databases have run', () => {
    const found = folders.flatMap((kind) =>
      filesOf(kind).map((file) => {
        const text = readFileSync(new URL(`../../migrations/${kind}/${file}`, here))
        return [`${kind}/${file}`, createHash('sha256').update(text).digest('hex')]
      }),
    )
    expect(Object.fromEntries(found)).toEqual(digests)
  })

  test('are numbered from 1 to the version that this program knows', () => {
    const numbers = (last: number) => Array.from({ length: last }, (_, i) => i + 1)
    const found = folders.map((kind) =>
      filesOf(kind).map((file) => Number(/^(\d{4})-[a-z-]+\.sql$/.exec(file)?.[1])),
    )
    expect(found).toEqual([numbers(knownPostgresVersion), numbers(knownVersion)])
  })
})

/** Made by the programs of 0.1, of 0.2, and of the last commit with version 8. */
const dumps = [
  { dump: '0.1.sql', version: 3 },
  { dump: '0.2.sql', version: 3 },
  { dump: 'version-8.sql', version: 8 },
]

describe('a SQLite database of an earlier program', () => {
  const folder = folderForEachTest()

  /** Every statement of the schema and, but for what migrations themselves write, every record. */
  async function read(file: string) {
    const connection = await openConnection(file, 'write', 1000)
    const schema = await connection.all<{ name: string; type: string; sql: string }>(
      'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name',
    )
    const records = new Map<string, object[]>()
    for (const { name, type } of schema) {
      if (type === 'table' && !['changes', 'dashboard_schema'].includes(name))
        records.set(name, await connection.all(`SELECT * FROM ${name} ORDER BY 1`))
    }
    await connection.close()
    return { schema: schema.map((each) => ({ ...each, sql: each.sql?.replace(/\s+/g, ' ') })), records }
  }

  test.each(dumps)(
    'that $dump has gets the schema of a new one, with its records',
    async ({ dump, version }) => {
      await execSql(folder.database(), readFileSync(new URL(`dumps/${dump}`, here), 'utf8'))
      const before = await read(folder.database())
      expect(await migrateDatabase(folder.database())).toMatchObject({ from: version, to: knownVersion })
      const after = await read(folder.database())
      await folder.openStore(folder.path('new.db'))
      expect(after.schema).toEqual((await read(folder.path('new.db'))).schema)
      for (const [table, rows] of before.records) {
        // A table may have got columns, and the audit log has an entry about the migration.
        const found = after.records.get(table)?.slice(0, rows.length)
        expect(found, table).toEqual(rows.map((row) => expect.objectContaining(row)))
        expect(after.records.get(table), table).toHaveLength(rows.length + (table === 'audit_log' ? 1 : 0))
      }
      expect(await checkDatabase(folder.database())).toMatchObject({
        ok: true,
        records: { teams: 3, users: 8, sessions: 4, projects: 8, waitlist: 1 },
      })
    },
  )

  test.each(dumps)('that $dump has is served', async ({ dump }) => {
    await execSql(folder.database(), readFileSync(new URL(`dumps/${dump}`, here), 'utf8'))
    const store = await folder.openStore(folder.database(), 1000, { migrate: true })
    const second = {
      id: 'p2',
      name: 'Second\nline',
      description: 'é\\',
      status: 'paused',
      teamId: 'initech',
      createdAt: '2026-03-01T12:02:00.000Z',
    }
    const { projects, version } = await store.listProjects('initech')
    expect(projects).toEqual([
      second,
      {
        ...second,
        id: 'p1',
        name: 'ÄPFEL "quoted"',
        description: null,
        status: 'active',
        createdAt: '2026-03-01T12:01:00.000Z',
      },
    ])
    expect(await store.teamSize('initech')).toEqual({ projects: 2, bytes: 45 })
    expect(await isTaken(store, 'initech', 'äpfel "quoted"')).toBe(true)
    expect(await store.caller('s2')).toMatchObject({
      user: { id: 'linus' },
      session: { note: "it's", permissions: [] },
    })
    const identity = { issuer: 'https://id.example', subject: 'sub|1' }
    expect(
      await store.upsertUser(identity, {
        id: 'other',
        email: 'new@id.example',
        givenName: '',
        familyName: '',
        picture: '',
      }),
    ).toMatchObject({ id: 'linus' })
    await store.updateProject('initech', 'p2', { name: 'Second' })
    expect((await store.listProjects('initech')).version).not.toBe(version)
    expect(await store.teamSize('initech')).toEqual({ projects: 2, bytes: 39 })
  })
})
