import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { copyRecords } from '../../src/store/copy-records.js'
import type { DatabaseAddress } from '../../src/store/database-address.js'
import { DatabaseRefusedError } from '../../src/store/database-refused.js'
import { openStore, openToRead, openToWrite } from '../../src/store/open/open-store.js'
import type { ProductionStore } from '../../src/store/production-store.js'
import { emptyState, type State, stateKinds } from '../../src/store/state-file.js'
import { StoreUnavailableError } from '../../src/store/store.js'
import { anyState } from './any-state.js'
import { at, fullState, project, session, state, teams, user } from './store-suite/records.js'

/** As the command opens databases: a copy may take long on a busy machine. */
const unlimited = { statementMs: 0 }

export type Endpoint = {
  /** A new address, without a database, for each call. */
  address(): Promise<DatabaseAddress>
  /** Runs SQL on a database, as another program would. */
  exec(address: DatabaseAddress, sql: string): Promise<void>
}

/** Tests that a copy to another kind of database equals its source, even after interruptions. */
export function testCopy(name: string, from: Endpoint, to: Endpoint): void {
  describe(`a copy from ${name}`, () => {
    const opened: { close(): Promise<void> }[] = []
    const closeLater = <T extends { close(): Promise<void> }>(closable: T): T => {
      opened.push(closable)
      return closable
    }
    afterEach(async () => {
      for (const closable of opened.splice(0).reverse()) await closable.close()
    })
    class Interruption extends Error {}
    const interruptAt = (last: number) => (page: number) => {
      if (page === last) throw new Interruption()
    }

    test('has every record, in the order of insertion', async () => {
      const source = await databaseWith(fullState, from)
      const target = await to.address()
      const report = await copy(source, target)
      expect(await contentOf(target)).toStrictEqual(await contentOf(source))
      expect(await contentOf(target)).toStrictEqual(fullState)
      expect(report.sourceChanged).toBe(false)
      const digest = expect.stringMatching(/^[\da-f]{64}$/)
      expect(report.kinds).toEqual(
        stateKinds.map((kind) => ({ kind, records: fullState[kind].length, digest })),
      )
    })

    test('has the changes of a store, and can be used like the source', async () => {
      const source = await databaseWith(fullState, from)
      await inStore(source, async (store) => {
        await store.revokeSession('viewer', at(7))
        await store.addSession(session({ id: 'later' }))
        await store.updateProject('acme', 'p2', { name: 'Renamed' })
        await store.upsertUser({ issuer: 'https://id.example', subject: 'sub|2' }, user('eve'))
        await store.remove({ waitlist: ['z@example.com'] })
        await store.addToWaitlist({ email: 'z@example.com', createdAt: at(1) })
      })
      const target = await to.address()
      await copy(source, target)
      const goOn = (address: DatabaseAddress) =>
        inStore(address, async (store) => {
          await store.addProject(project({ id: 'p0', teamId: 'globex' }))
          await store.addUser(user('new'))
          await store.upsertUser(
            { issuer: 'https://id.example', subject: 'sub|1' },
            user('other', 'new@x.example'),
          )
          return [await store.export(), await store.teamSize('acme'), await store.teamSize('globex')]
        })
      expect(await goOn(target)).toStrictEqual(await goOn(source))
    })

    /** Enough records for several transactions of users, projects and addresses. */
    const large = () =>
      state({
        teams,
        users: Array.from({ length: 5_500 }, (_, i) => user(`u${(i * 7919) % 5_500}`)),
        sessions: [session({ id: 's', userId: 'u1' })],
        projects: Array.from({ length: 11_000 }, (_, i) => project({ id: `p${(i * 7919) % 11_000}` })),
        waitlist: Array.from({ length: 1_001 }, (_, i) => ({
          email: `${i}@example.com`,
          createdAt: at(i % 60),
        })),
      })

    test('leaves nothing after an interruption at any page, and begins again', async () => {
      const content = large()
      const source = await databaseWith(content, from)
      for (const page of [1, 4, 8]) {
        const target = await to.address()
        await expect(copy(source, target, interruptAt(page))).rejects.toThrow(Interruption)
        expect(await contentOf(target)).toStrictEqual(emptyState())
        expect(await copy(source, target)).toMatchObject({ sourceChanged: false })
        expect(await contentOf(target)).toStrictEqual(content)
      }
    })

    test('is refused where the target has any record, as after a copy, and changes nothing', async () => {
      const source = await databaseWith(fullState, from)
      const target = await databaseWith(state({ ...fullState, waitlist: [] }), to)
      for (const each of [target, source]) {
        const refused = await copy(source, each).catch((error) => error)
        expect(refused).toBeInstanceOf(DatabaseRefusedError)
        expect(refused.message).toMatch(/has records already: 2 teams, 2 users, 2 sessions, 3 projects/)
      }
      expect(await contentOf(target)).toStrictEqual(state({ ...fullState, waitlist: [] }))
      expect(await contentOf(source)).toStrictEqual(fullState)
    })

    test('has the state of its beginning where the source changes meanwhile, and reports that', async () => {
      const source = await databaseWith(large(), from)
      const store = closeLater(await openStore(source))
      const target = await to.address()
      let changing: Promise<unknown> = Promise.resolve()
      const onPage = (page: number) => {
        if (page !== 1) return
        changing = Promise.all([
          store.updateProject('acme', 'p10999', { status: 'paused' }),
          store.addProject(project({ id: 'late' })),
        ])
      }
      const before = await store.export()
      const report = await copy(source, target, onPage)
      await changing
      expect(report).toMatchObject({ sourceChanged: true })
      expect(await contentOf(target)).toStrictEqual(before)
      expect((await store.export()).projects).toHaveLength(11_001)
    })

    test('can begin in several processes at once', async () => {
      const source = await databaseWith(large(), from)
      const target = await to.address()
      const results = await Promise.allSettled([1, 2, 3].map(() => copy(source, target)))
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const result of results) {
        // One copy locks the SQLite file, on a busy machine for longer than the others wait.
        if (result.status === 'rejected' && !(result.reason instanceof StoreUnavailableError)) {
          expect(result.reason).toBeInstanceOf(DatabaseRefusedError)
        }
      }
      expect(await contentOf(target)).toStrictEqual(large())
    })

    test('needs both databases in the version of this program, and migrates none', async () => {
      const source = await databaseWith(fullState, from)
      const target = await databaseWith(emptyState(), to)
      const refusals: [number, RegExp][] = [[1000, /has version 1000, .*Use the program that made it/]]
      for (const [version, message] of refusals) {
        await to.exec(target, `UPDATE dashboard_schema SET version = ${version}`)
        await expect(copy(source, target)).rejects.toThrow(message)
      }
      for (const [version, message] of refusals) {
        await from.exec(source, `UPDATE dashboard_schema SET version = ${version}`)
        await expect(copy(source, await to.address())).rejects.toThrow(message)
      }
    })
  })
}

/** Tests that generated states are the same after a copy to another kind of database and back. */
export function testRoundTrip(name: string, from: Endpoint, to: Endpoint, numRuns: number): void {
  test(`a copy from ${name} and back is equal, for any state`, async () => {
    await fc.assert(
      fc.asyncProperty(anyState, async (content) => {
        const first = await databaseWith(content, from)
        const second = await to.address()
        const third = await from.address()
        await copy(first, second)
        await copy(second, third)
        expect(await contentOf(second)).toStrictEqual(content)
        expect(await contentOf(third)).toStrictEqual(content)
      }),
      { numRuns },
    )
  })
}

const inStore = async <T>(address: DatabaseAddress, use: (store: ProductionStore) => Promise<T>) => {
  const store = await openStore(address)
  return use(store).finally(store.close)
}

const contentOf = (address: DatabaseAddress) => inStore(address, (store) => store.export())

async function databaseWith(content: State, endpoint: Endpoint): Promise<DatabaseAddress> {
  const address = await endpoint.address()
  await inStore(address, (store) => store.load(content))
  return address
}

/** Copies a database. `onPage` is called after each written page, and may throw to interrupt the copy. */
async function copy(
  source: DatabaseAddress,
  target: DatabaseAddress,
  onPage: (page: number) => unknown = () => {},
) {
  const reading = await openToRead(source, unlimited)
  const writing = await openToWrite(target, unlimited).catch(async (error) => {
    await reading.close()
    throw error
  })
  let pages = 0
  try {
    return await copyRecords(reading, writing, (step) => {
      if (step !== 'copy') return
      pages += 1
      onPage(pages)
    })
  } finally {
    await writing.close()
    await reading.close()
  }
}
