import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { describe, expect, test, vi } from 'vitest'
import { openReader } from '../../../src/store/open/open-store.js'
import type { ProductionStore } from '../../../src/store/production-store.js'
import { backUp } from '../../../src/store/sqlite/copy-database.js'
import { checkDatabase, emptyLog, vacuumDatabase } from '../../../src/store/sqlite/maintain.js'
import { createDatabase } from './database-files.js'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()
const file = folder.database
const script = fileURLToPath(new URL('./sqlite-process.js', import.meta.url))

/** Another process opens the database, adds an address, and closes it. */
const useElsewhere = async (name: string) => {
  const child = spawn(process.execPath, [script, file(), name, '1'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([0, null])
}

describe('a file that a process opens twice', () => {
  const address = () => ({ kind: 'sqlite', file: file(), name: file() }) as const
  /** Opens and closes the file while the first store is open. */
  const uses: [string, (store: ProductionStore) => Promise<unknown>][] = [
    ['a second store', async () => (await folder.openStore()).close()],
    [
      'a second store by another name',
      async () => {
        linkSync(file(), folder.path('link.db'))
        await (await folder.openStore(folder.path('link.db'))).close()
      },
    ],
    ['a reader', async () => (await openReader(address())).close()],
    ['a check', () => checkDatabase(file())],
    ['a backup', () => backUp(file(), folder.path('backup.db'))],
    [
      'a vacuum',
      async (store) => {
        const many = Array.from({ length: 1_000 }, (_, i) => entry(`${i}`.padStart(50, 'x')))
        await Promise.all(many.map((each) => store.addToWaitlist(each)))
        await emptyLog(file())
        await store.remove({ waitlist: many.map(({ email }) => email) })
        const { size } = statSync(file())
        await vacuumDatabase(file())
        expect(statSync(file()).size).toBeLessThan(size)
        await store.addToWaitlist(entry('into the shorter file'))
      },
    ],
    [
      'a worker thread',
      async () => {
        const worker = new Worker(script, { argv: [file(), 'worker', '3'], stdout: true })
        expect(await once(worker, 'exit')).toEqual([0])
      },
    ],
  ]

  test.each(uses)('keeps its locks, so that no process removes its log: %s', async (_, use) => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('first'))
    await use(store)
    await useElsewhere('elsewhere')
    await store.addToWaitlist(entry('last'))
    expect(readdirSync(folder.path())).toContain('store.db-wal')
    expect(await names(store)).toEqual(expect.arrayContaining(['first', 'elsewhere-0', 'last']))
  })

  test('is closed with the last store, and takes the writes of each', async () => {
    const stores = await Promise.all([1, 2, 3].map(() => folder.openStore()))
    const added = Array.from({ length: 60 }, (_, i) => `a${String(i).padStart(2, '0')}`)
    await Promise.all(added.map((name, i) => stores[i % 3]?.addToWaitlist(entry(name))))
    await Promise.all(stores.slice(1).map((store) => store.close()))
    await expect(stores[1]?.probe()).rejects.toThrow('is closed')
    expect((await names(stores[0] as never)).sort()).toEqual(added)
    await stores[0]?.close()
    expect(readdirSync(folder.path())).toEqual(['store.db'])
  })

  test('is lost to each store, and opened anew once it was replaced', async () => {
    const [first, second] = [vi.fn(), vi.fn()]
    const stores = [first, second].map((onLost) => folder.openStore(undefined, undefined, { onLost }))
    const [one, two] = await Promise.all(stores)
    renameSync(await createDatabase(folder.path('other.db'), ['other']), file())
    for (const store of [one, two]) await expect(store?.probe()).rejects.toThrow('was replaced')
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
    await Promise.all([one?.close(), two?.close()])
    renameSync(`${file()}-wal`, folder.path('log'))
    expect(await names(await folder.openStore())).toEqual(['other'])
  })
})

test('an open file is used by other processes, whatever the times, modes and owners of its files are', async () => {
  const store = await folder.openStore()
  await store.addToWaitlist(entry('first'))
  utimesSync(file(), 4e9, 4e9)
  utimesSync(`${file()}-wal`, 1, 1)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534:65534', folder.path()])
  await useElsewhere('elsewhere')
  await store.addToWaitlist(entry('last'))
  expect(await names(store)).toHaveLength(3)
})

describe.skipIf(spawnSync('sqlite3', ['--version']).error)('a file rebuilt by .dump', () => {
  const rebuild = async (more = '') => {
    await createDatabase(folder.path('old.db'), ['ada'])
    execFileSync('sh', ['-ec', `(sqlite3 old.db .dump; echo "${more}") | sqlite3 store.db`], {
      cwd: folder.path(),
    })
  }

  test('is opened, since it has the tables of this program, and marked', async () => {
    await rebuild()
    expect((await checkDatabase(file())).ok).toBe(true)
    expect(await names(await folder.openStore())).toEqual(['ada'])
    expect(readFileSync(file()).toString('latin1', 68, 72)).toBe('DAPI')
  })

  test.each([
    [
      'CREATE TABLE lost_and_found (c);',
      'and table lost_and_found is not of this program. Remove what was added',
    ],
    ['UPDATE dashboard_schema SET version = 99;', 'and it has version 99.'],
  ])('is refused with the reason and what to do: %s', async (sql, reason) => {
    await rebuild(sql)
    const before = readFileSync(file())
    await expect(folder.openStore()).rejects.toThrow(reason)
    expect([readFileSync(file()), readdirSync(folder.path())]).toEqual([before, ['old.db', 'store.db']])
  })
})

describe.skipIf(spawnSync('unshare', ['-m', 'true']).status !== 0)(
  'a database in a namespace of mounts',
  () => {
    const bin = fileURLToPath(new URL('../../../bin/dashboard-api.js', import.meta.url))
    const mountFile = 'mount --bind outside/x.db "inside/app data.db"'

    test.each<[string, string, string[], number]>([
      ['of the file alone', mountFile, ['waitlist', 'add', 'new@example.com'], 2],
      ['of the file alone', mountFile, ['waitlist', 'export'], 2],
      ['of the file alone', mountFile, ['database', 'check'], 2],
      ['of the file alone', mountFile, ['database', 'backup', 'b.db'], 2],
      ['of its folder', 'mount --bind outside inside', ['waitlist', 'add', 'new@example.com'], 0],
      [
        'of the file, below one of its folder',
        `${mountFile}; mount --bind outside inside`,
        ['waitlist', 'export'],
        0,
      ],
    ])('%s', async (_, mount, command, expected) => {
      for (const name of ['outside', 'inside']) mkdirSync(folder.path(name))
      for (const name of ['x', 'app data'])
        await createDatabase(folder.path(`outside/${name}.db`), ['before'])
      execFileSync('touch', [folder.path('inside/app data.db')])
      const args = [process.execPath, bin, ...command, '--database', folder.path('inside/app data.db')]
      const { status, stderr } = spawnSync(
        'unshare',
        ['-m', 'sh', '-ec', `${mount}; exec "$@"`, 'sh', ...args],
        {
          cwd: folder.path(),
          encoding: 'utf8',
        },
      )
      expect({ status, stderr }).toMatchObject({ status: expected })
      if (expected === 2) {
        const advice = `Mount the folder that has the file at ${folder.path('inside')}, not the file alone.`
        expect(stderr).toContain(advice)
      }
    })
  },
)
