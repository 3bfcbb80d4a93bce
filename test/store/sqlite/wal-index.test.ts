import { readFile, truncate, writeFile } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openWalIndex } from '../../../src/store/sqlite/wal-index.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()
const indexFile = () => `${folder.database()}-shm`

function open(platform?: NodeJS.Platform) {
  const index = openWalIndex(folder.database(), platform)
  onTestFinished(() => index.close())
  return index
}

/** A valid header, whose bytes a test may change. */
async function sqliteHeader(): Promise<Buffer> {
  const store = await folder.openStore()
  await store.addToWaitlist(entry('a'))
  const header = (await readFile(indexFile())).subarray(0, 96)
  await store.close()
  return header
}

describe('the index of the log', () => {
  test.skipIf(process.platform === 'win32')(
    'has the expected format in the SQLite of the driver',
    async () => {
      await folder.openStore()
      expect(open().changeCounter()).toBeDefined()
    },
  )

  test('changes its version with every commit of any connection, and only then', async () => {
    const [store, other] = [await folder.openStore(), await folder.openConnection()]
    const writes = [
      (name: string) => store.addToWaitlist(entry(name)),
      (name: string) => other.run(`INSERT INTO waitlist (email, created_at) VALUES ($1, '')`, name),
    ]
    const index = open()
    for (let i = 0; i < 10; i += 1) {
      const before = index.changeCounter()
      expect(index.changeCounter()).toBe(before)
      await store.waitlistAfter(undefined, 10_000)
      expect(index.changeCounter()).toBe(before)
      await writes[i % 2]?.(`w-${i}`)
      expect(index.changeCounter()).not.toBe(before)
    }
  })

  test('changes its version with every commit while the log is checkpointed and restarted', async () => {
    const store = await folder.openStore()
    await store.addTeam({ id: 'acme', name: 'Acme', orgCode: 'org_acme' })
    const index = open()
    const name = 'x'.repeat(30_000)
    for (let i = 0; i < 200; i += 1) {
      const before = index.changeCounter()
      await store.renameTeam('acme', `${name}${i}`)
      expect(index.changeCounter()).not.toBe(before)
    }
  })

  test.each([
    [
      'of another format version',
      (header: Buffer) => new Uint32Array(header.buffer, header.byteOffset).fill(3_007_001, 0, 1),
    ],
    ['of the other byte order', (header: Buffer) => header.subarray(0, 4).reverse()],
    ['of no version', (header: Buffer) => header.fill(0)],
  ])('has no version with a header %s', async (_, change) => {
    const header = Buffer.from(new Uint8Array(await sqliteHeader()))
    await writeFile(indexFile(), header)
    const index = open()
    const known = index.changeCounter()
    expect(index.changeCounter()).toBe(known)
    change(header)
    await writeFile(indexFile(), header)
    expect(index.changeCounter()).toBeUndefined()
  })

  test('has no version with an incomplete header', async () => {
    await writeFile(indexFile(), await sqliteHeader())
    const index = open()
    const known = index.changeCounter()
    expect(index.changeCounter()).toBe(known)
    await truncate(indexFile(), 48)
    expect(index.changeCounter()).toBeUndefined()
  })

  test('is not read on Windows', () => {
    const index = open('win32')
    expect(index.changeCounter()).toBeUndefined()
  })
})
