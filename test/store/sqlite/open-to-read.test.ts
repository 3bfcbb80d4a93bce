import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openReader } from '../../../src/store/open/open-store.js'
import { openReadOnly } from '../../../src/store/sqlite/connection.js'
import { createDatabase, execSql } from './database-files.js'
import { asOtherUser, noOtherUser, otherUser } from './other-user.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()
const file = folder.database

/** Makes a folder and its files read-only. */
function makeReadOnly(path: string): void {
  for (const name of readdirSync(path)) chmodSync(`${path}/${name}`, 0o444)
  chmodSync(path, 0o555)
  readOnly.push(path)
}

// Runs before the folder is removed, which needs write permission.
let readOnly: string[] = []
afterEach(() => {
  for (const path of readOnly) chmodSync(path, 0o755)
  readOnly = []
})

/** Starts a process that opens a database to read it. Returns the next line that it prints. */
function startReader(path: string) {
  const script = fileURLToPath(new URL('reading-process.js', import.meta.url))
  const child = spawn(process.execPath, [script, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(otherUser !== undefined && { uid: otherUser, gid: otherUser }),
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { line: async () => (await lines.next()).value, close: () => child.stdin.write('\n') }
}

describe('a file that is opened to read', () => {
  test('is not written to, and no file stays beside it', async () => {
    await createDatabase(file(), ['ada'])
    const before = readFileSync(file())
    const connection = await openReadOnly(file(), 1000)
    expect(await connection.all('SELECT email FROM waitlist')).toHaveLength(1)
    await expect(connection.exec('DELETE FROM waitlist')).rejects.toThrow('readonly database')
    await connection.close()
    expect(readFileSync(file())).toEqual(before)
    expect(readdirSync(folder.path())).toEqual(['store.db'])
  })

  test('is not checked as a whole: only queries that read a damaged page fail', async () => {
    await createDatabase(file(), ['ada'])
    const connection = await openReadOnly(file(), 1000)
    const [found] = await connection.all<{ page: number }>(
      "SELECT rootpage AS page FROM sqlite_schema WHERE name = 'waitlist_in_order'",
    )
    await connection.close()
    const bytes = readFileSync(file())
    const pageSize = bytes.readUInt16BE(16)
    const page = found?.page ?? 0
    writeFileSync(file(), bytes.fill(0x5a, (page - 1) * pageSize, page * pageSize))
    const reader = await openReader({ kind: 'sqlite', file: file(), name: file() })
    expect(await reader.listTeams()).toEqual([])
    await expect(reader.waitlistAfter(undefined, 1)).rejects.toThrow('it is damaged (')
    await reader.close()
  })

  test.skipIf(noOtherUser)(
    asOtherUser('without write permission is read unchanged, even without a log'),
    async () => {
      await createDatabase(file(), [])
      makeReadOnly(folder.path())
      const reader = startReader(file())
      expect(await reader.line()).toBe('opened')
      reader.close()
      expect(await reader.line()).toBe('closed')
    },
  )

  test.skipIf(noOtherUser)(asOtherUser('and changed meanwhile is reported'), async () => {
    await createDatabase(file(), [])
    makeReadOnly(folder.path())
    const reader = startReader(file())
    expect(await reader.line()).toBe('opened')
    chmodSync(folder.path(), 0o755)
    chmodSync(file(), 0o644)
    await execSql(file(), 'PRAGMA user_version = 3')
    reader.close()
    expect(await reader.line()).toBe(`The database ${file()} was changed while it was read`)
  })

  test.skipIf(noOtherUser)(
    asOtherUser('with a log but no index leads to an error with the remedy'),
    async () => {
      const store = await folder.openStore()
      await store.addToWaitlist(entry('ada'))
      const copy = folder.path('copy')
      mkdirSync(copy)
      for (const suffix of ['', '-wal']) copyFileSync(`${file()}${suffix}`, `${copy}/x.db${suffix}`)
      chmodSync(folder.path(), 0o755)
      makeReadOnly(copy)
      expect(await startReader(`${copy}/x.db`).line()).toBe(
        `Cannot use the database ${copy}/x.db: its log cannot be read (SQLITE_CANTOPEN). Allow this user to read ${copy}/x.db-wal and ${copy}/x.db-shm. If no process has the database open, one ended without closing it: open it once with the right to write.`,
      )
    },
  )
})
