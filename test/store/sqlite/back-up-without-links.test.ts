import type * as fileSystem from 'node:fs/promises'
import { readdir } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { backUp } from '../../../src/store/sqlite/copy-database.js'
import { addressesIn, createDatabase } from './database-files.js'
import { folderForEachTest } from './sqlite-folder.js'

// A file system without hard links, such as FAT.
vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof fileSystem>()),
  link: async () => {
    throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })
  },
}))

const folder = folderForEachTest()

test('a backup replaces no file, even without hard links', async () => {
  const file = await createDatabase(folder.database(), ['ada'])
  const backup = folder.path('backup.db')
  await backUp(file, backup)
  expect(await addressesIn(backup)).toEqual(['ada'])
  await createDatabase(folder.database(), ['grace'])
  await expect(backUp(file, backup)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(await addressesIn(backup)).toEqual(['ada'])
  expect((await readdir(folder.path())).sort()).toEqual(['backup.db', 'store.db'])
})
