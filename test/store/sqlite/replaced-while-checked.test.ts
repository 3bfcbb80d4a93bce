import { readFile, rename, writeFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { createDatabase, damage } from './database-files.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const { onChecked } = vi.hoisted(() => ({ onChecked: vi.fn(async () => {}) }))

vi.mock('../../../src/store/sqlite/check-file.js', async (importOriginal) => {
  const actual = await importOriginal<typeof import('../../../src/store/sqlite/check-file.js')>()
  return {
    ...actual,
    async checkOpenFile(...args: Parameters<typeof actual.checkOpenFile>) {
      await actual.checkOpenFile(...args)
      await onChecked()
    },
  }
})

const folder = folderForEachTest()

test('a file that takes the place of a repaired one while that is checked does not get its log', async () => {
  const database = folder.database()
  const copy = await createDatabase(folder.path('copy.db'), ['from-the-copy'])
  await createDatabase(database, ['before'])
  const store = await folder.openStore()
  await store.addToWaitlist(entry('in-the-log'))
  const content = await readFile(database)
  damage(database)
  await expect(store.export()).rejects.toThrow('is damaged')
  await writeFile(database, content)
  onChecked.mockImplementationOnce(() => rename(copy, database))
  const write = () =>
    store.addToWaitlist(entry('after')).then(
      () => 'written',
      (error) => (error instanceof StoreUnavailableError ? 'unavailable' : error),
    )
  await expect.poll(write, { interval: 50 }).toBe('written')
  expect(onChecked).toHaveBeenCalled()
  expect((await names(store)).sort()).toEqual(['after', 'from-the-copy'])
})
