import { describe, expect, onTestFinished, test } from 'vitest'
import type { DatabaseAddress } from '../../src/store/database-address.js'
import { DatabaseRefusedError } from '../../src/store/database-refused.js'
import { openReader, openStore } from '../../src/store/open/open-store.js'
import { StoreUnavailableError } from '../../src/store/store.js'
import { fullState } from './store-suite/records.js'

/** A database that a test migrates to version 2 (see second-version.ts). */
export type MigratedDatabase = {
  address: DatabaseAddress
  run<Row extends object>(sql: string): Promise<Row[]>
  /** Creates the tables of the first version. */
  createFirst(): Promise<void>
  migrate(): Promise<{ from: number; to: number }>
  check(): Promise<{ ok: boolean }>
  /** Every statement of its schema, and other facts about it. */
  schema(): Promise<unknown>
  /** The statement by which a program forbids earlier versions. */
  closeTo(version: number): string
}

const setVersion = (version: number) => `UPDATE dashboard_schema SET version = ${version}`

/**
 * Tests the migrations of a kind of database.
 * @param versions the versions from which several processes may migrate at once: a SQLite file is created by a service
 */
export function testMigrations(
  name: string,
  versions: number[],
  create: () => Promise<MigratedDatabase>,
): void {
  const older = 'it has version 1, and this program needs version 2. Migrate it with "database migrate"'
  const open = async (address: DatabaseAddress, migrate = false) => {
    const store = await openStore(address, { migrate })
    onTestFinished(store.close)
    return store
  }
  const read = async (address: DatabaseAddress) => {
    const reader = await openReader(address)
    onTestFinished(reader.close)
    return reader
  }

  describe(`migrations of ${name}`, () => {
    test.each(versions)(
      'are run by one of several programs that start at once at version %i',
      async (version) => {
        const { run, createFirst, migrate } = await create()
        if (version > 0) await createFirst()
        // At most three: each waiting connection to SQLite blocks one of the four threads of this process, and the writer needs one.
        const runs = await Promise.all(Array.from({ length: 3 }, () => migrate()))
        expect(runs.map(({ from }) => from).sort()).toEqual([version, 2, 2])
        expect(await run('SELECT version FROM dashboard_schema')).toEqual([{ version: 2 }])
      },
    )

    test('are run by a service only where that is set; otherwise its error says so', async () => {
      const { address, run, createFirst } = await create()
      await createFirst()
      const refused = open(address)
      await expect(refused).rejects.toThrow(DatabaseRefusedError)
      await expect(refused).rejects.toThrow(older)
      expect(await run('SELECT version FROM dashboard_schema')).toEqual([{ version: 1 }])
      const migrated = { from: 1, to: 2 }
      expect(await (await open(address, true)).describe()).toMatchObject({ created: false, migrated })
      expect((await (await open(address, true)).describe()).migrated).toBeUndefined()
    })

    test('are never run by a reader, which reads a later version within the window', async () => {
      const { address, run, createFirst, migrate, closeTo } = await create()
      await createFirst()
      await expect(read(address)).rejects.toThrow(older)
      expect(await run('SELECT version FROM dashboard_schema')).toEqual([{ version: 1 }])
      await migrate()
      await run(setVersion(999))
      expect(await (await read(address)).listTeams()).toEqual([])
      await run(closeTo(999))
      await expect(read(address)).rejects.toThrow('it needs a program that knows version 999')
    })

    test('lead to the schema of a new database, and keep its records', async () => {
      const [fresh, { address, run, createFirst, migrate, check, schema }] = [await create(), await create()]
      await fresh.migrate()
      await createFirst()
      // Pretends to be version 2, so that this program accepts and fills the database.
      await run(setVersion(2))
      const first = await openStore(address)
      await first.load(fullState)
      await first.close()
      await run(setVersion(1))
      expect(await migrate()).toMatchObject({ from: 1, to: 2 })
      expect(await check()).toMatchObject({ ok: true })
      expect(await schema()).toEqual(await fresh.schema())
      const store = await open(address)
      expect(await store.export()).toStrictEqual(fullState)
      const { version } = await store.listProjects('acme')
      await store.updateProject('acme', 'p2', { status: 'later' })
      expect((await store.listProjects('acme')).version).not.toBe(version)
    })

    test('of a later program let this one continue and restart within the window, but not beyond it', async () => {
      const { address, run, closeTo } = await create()
      const store = await open(address, true)
      await run(setVersion(1))
      await expect(store.probe()).rejects.toThrow(StoreUnavailableError)
      await run('ALTER TABLE projects ADD COLUMN addition TEXT')
      await run(setVersion(3))
      await store.probe()
      await store.load(fullState)
      // After a restart this program neither migrates the database nor refuses it.
      expect(await (await open(address, true)).describe()).toMatchObject({ version: 3 })
      expect(await run('SELECT version FROM dashboard_schema')).toEqual([{ version: 3 }])
      await run(closeTo(3))
      await expect(store.probe()).rejects.toThrow(StoreUnavailableError)
    })
  })
}
