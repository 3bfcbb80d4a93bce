import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { DatabaseAddress } from '../../../src/store/database-address.js'
import { openToRead, openToWrite } from '../../../src/store/open/databases.js'
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

test('a source that is no database of this program, or a damaged one, is refused', async () => {
  await writeFile(folder.path('text'), 'text'.repeat(100))
  await expect(openToRead(file(folder.path('text')))).rejects.toThrow('not a SQLite database')
  await execSql(folder.path('songs.db'), 'CREATE TABLE songs (title TEXT)')
  await expect(openToRead(file(folder.path('songs.db')))).rejects.toThrow('another program')
  await expect(openToWrite(file(folder.path('songs.db')))).rejects.toThrow('another program')
  await expect(openToRead(file(folder.path()))).rejects.toThrow('it is not a file')
  await expect(openToWrite(file(folder.path()))).rejects.toThrow('it is not a file')
  damage(await createDatabase(folder.path('damaged.db'), ['ada']))
  await expect(
    openToRead(file(folder.path('damaged.db'))).then((source) =>
      source
        .snapshot((connection) => source.dialect.pages(connection, 'waitlist')[Symbol.asyncIterator]().next())
        .finally(source.close),
    ),
  ).rejects.toThrow('it is damaged')
})
