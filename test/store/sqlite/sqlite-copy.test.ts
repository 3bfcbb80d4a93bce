import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { DatabaseAddress } from '../../../src/store/database-address.js'
import { openToRead, openToWrite } from '../../../src/store/open/open-store.js'
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

// Which files are refused: refusals.test.ts.
test('a source and a target of another program, and a damaged source, are refused', async () => {
  await execSql(folder.path('songs.db'), 'CREATE TABLE songs (title TEXT)')
  for (const open of [openToRead, openToWrite])
    await expect(open(file(folder.path('songs.db')))).rejects.toThrow('another program')
  damage(await createDatabase(folder.path('damaged.db'), ['ada']))
  const reading = openToRead(file(folder.path('damaged.db'))).then((source) =>
    source
      .snapshot((connection) => source.dialect.pages(connection, 'waitlist')[Symbol.asyncIterator]().next())
      .finally(source.close),
  )
  await expect(reading).rejects.toThrow('it is damaged')
})
