import { randomUUID } from 'node:crypto'
import { symlink, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { DatabaseAddress } from '../../../src/store/database-address.js'
import { openSource, openTarget } from '../../../src/store/sqlite/copy-ends.js'
import { type Endpoint, testCopy, testRoundTrip } from '../copy-suite.js'
import { createDatabase, damage, execSql } from './database-files.js'
import { folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

const file = (name: string): DatabaseAddress => ({ kind: 'sqlite', name, file: name })
const sqlite: Endpoint = {
  address: async () => file(folder.path(`${randomUUID()}.db`)),
  exec: ({ name }, sql) => execSql(name, sql),
}

testCopy('SQLite to SQLite', sqlite, sqlite)
testRoundTrip('SQLite to SQLite', sqlite, sqlite, 10)

test('one file has one identity, whatever path leads to it', async () => {
  const path = await createDatabase(folder.path('a.db'), ['ada'])
  await symlink(path, folder.path('link.db'))
  const identities: string[] = []
  for (const each of [path, folder.path('link.db')]) {
    const source = await openSource(each)
    identities.push(source.identity)
    await source.close()
  }
  expect(new Set(identities).size).toBe(1)
})

test('a source that is no database of this program, or a damaged one, is refused', async () => {
  await writeFile(folder.path('text'), 'text'.repeat(100))
  await expect(openSource(folder.path('text'))).rejects.toThrow('not a SQLite database')
  await execSql(folder.path('songs.db'), 'CREATE TABLE songs (title TEXT)')
  await expect(openSource(folder.path('songs.db'))).rejects.toThrow('another program')
  await expect(openTarget(folder.path('songs.db'))).rejects.toThrow('another program')
  await expect(openSource(folder.path())).rejects.toThrow('it is not a file')
  await expect(openTarget(folder.path())).rejects.toThrow('it is not a file')
  damage(await createDatabase(folder.path('damaged.db'), ['ada']))
  await expect(
    openSource(folder.path('damaged.db')).then((source) =>
      source
        .snapshot((connection) => source.pages(connection, 'waitlist')[Symbol.asyncIterator]().next())
        .finally(source.close),
    ),
  ).rejects.toThrow('it is damaged')
})
