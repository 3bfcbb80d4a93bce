import { expect, test, vi } from 'vitest'
import { folderForEachTest } from './sqlite-folder.js'

// SQLite answers so for several reasons: no shared memory in the file system, a build without the log, a lock of its own.
vi.mock('../../../src/store/sqlite/connection.js', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/store/sqlite/connection.js')>()
  return {
    ...original,
    async openConnection(...given: Parameters<typeof original.openConnection>) {
      const connection = await original.openConnection(...given)
      const all: typeof connection.all = (sql, ...values) =>
        connection.all(sql.replace('journal_mode = WAL', 'journal_mode'), ...values)
      return { ...connection, all }
    },
  }
})

const folder = folderForEachTest()

test('a journal mode that stays is reported as SQLite says it, without a reason', async () => {
  await expect(folder.openStore()).rejects.toThrow(
    new RegExp(
      `^Cannot use the database ${folder.database()}: its journal mode stays "delete", and this program needs a write-ahead log \\(wal\\)\\. Try `,
    ),
  )
})
