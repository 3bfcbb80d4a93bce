import { lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { backUp } from '../../../src/store/sqlite/copy-database.js'
import { checkDatabase, migrateDatabase, vacuumDatabase } from '../../../src/store/sqlite/maintain.js'
import { restoreFile } from '../../../src/store/sqlite/restore-file.js'
import { addressesIn, createDatabase } from './database-files.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()
const link = () => folder.path('link.db')

/** Points the link to a file in a separate folder, as a release of another program might. */
function pointTo(name: string): string {
  mkdirSync(folder.path(name), { recursive: true })
  symlinkSync(`${name}/store.db`, `${link()}.new`)
  renameSync(`${link()}.new`, link())
  return folder.path(name, 'store.db')
}

describe('a database behind a symbolic link', () => {
  test('is the file to which the link leads, with its log beside it', async () => {
    const file = pointTo('a')
    await createDatabase(file, [])
    const store = await folder.openStore(link())
    const other = await folder.openStore(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await other.addToWaitlist(entry('ada'))
    await other.addToWaitlist(entry('grace'))
    await store.addToWaitlist(entry('mary'))
    expect((await names(other)).sort()).toEqual(['ada', 'grace', 'mary'])
    expect(readdirSync(folder.path('a')).sort()).toEqual(['store.db', 'store.db-shm', 'store.db-wal'])
    expect(readdirSync(folder.path())).toEqual(['a', 'link.db'])
  })

  test('is lost when the link leads to another file', async () => {
    const first = pointTo('a')
    await createDatabase(first, ['first'])
    mkdirSync(folder.path('b'))
    await createDatabase(folder.path('b', 'store.db'), ['second'])
    const store = await folder.openStore(link())
    expect(await names(store)).toEqual(['first'])
    pointTo('b')
    await expect(store.addToWaitlist(entry('third'))).rejects.toThrow('was replaced by another file')
    await store.close()
    expect(await addressesIn(folder.path('b', 'store.db'))).toEqual(['second'])
  })

  test('is refused where the link leads to no file', async () => {
    pointTo('a')
    await expect(folder.openStore(link())).rejects.toThrow('it is a link that leads to no file')
    expect(readdirSync(folder.path('a'))).toEqual([])
  })

  test('can be checked, migrated, vacuumed, backed up and restored; the link stays', async () => {
    const file = pointTo('a')
    await createDatabase(file, ['ada'])
    await backUp(link(), folder.path('backup.db'))
    expect((await checkDatabase(link())).ok).toBe(true)
    expect((await migrateDatabase(link())).from).toBeGreaterThan(0)
    await vacuumDatabase(link())
    const store = await folder.openStore(link())
    await store.addToWaitlist(entry('later'))
    await store.close()
    const { kept = '' } = await restoreFile(link(), folder.path('backup.db'), async () => {})
    expect(readlinkSync(link())).toBe('a/store.db')
    expect(lstatSync(file).isFile()).toBe(true)
    expect(await addressesIn(link())).toEqual(['ada'])
    expect(await addressesIn(kept)).toEqual(['ada', 'later'])
  })
})
