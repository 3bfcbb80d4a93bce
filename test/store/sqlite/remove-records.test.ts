import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkDatabase, emptyLog } from '../../../src/store/sqlite/maintain.js'
import { emptyState } from '../../../src/store/state-file.js'
import { at, project, session, teams, user } from '../store-suite/records.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

/** The bytes of the file and its log. */
const bytes = () =>
  ['', '-wal']
    .map((suffix) => `${folder.database()}${suffix}`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'latin1'))
    .join('')

/** The whole message of a log that other connections use. */
const inUse = /^The log \S+-wal still has what was removed: other connections have used it for 5 s$/

describe('removed records', () => {
  test('are gone from the file and its log, while other processes have it open', async () => {
    const store = await folder.openStore()
    const running = await folder.openStore()
    const marked = (name: string) => `${name}-${'canary'.repeat(3)}-${randomUUID()}`
    // Long texts have separate pages.
    const projects = Array.from({ length: 300 }, (_, i) =>
      project({
        id: marked(`p${i}`),
        name: marked('name'),
        description: marked('text').repeat(1 + (i % 100)),
      }),
    )
    const users = Array.from({ length: 100 }, (_, i) =>
      user(marked(`u${i}`), `${marked('mail')}@example.com`),
    )
    const sessions = users.map(({ id }) => session({ id: marked('s'), userId: id, orgCode: 'org_acme' }))
    const waitlist = users.map(({ email }) => ({ email, createdAt: at(1) }))
    await store.load({ ...emptyState(), teams, users, sessions, projects, waitlist })
    for (const { id } of projects.slice(0, 50)) {
      await running.updateProject('acme', id, { name: marked('renamed'), description: marked('rewritten') })
    }
    expect(bytes()).toContain('canary')
    await store.remove({
      teams: ['acme'],
      users: users.map(({ id }) => id),
      waitlist: waitlist.map(({ email }) => email),
    })
    await emptyLog(folder.database())
    expect(bytes()).not.toContain('canary')
    expect(bytes()).toContain('org_globex')
    expect((await running.listProjects('acme')).projects).toEqual([])
    expect((await checkDatabase(folder.database())).ok).toBe(true)
  })

  test('stay in the log while another connection reads an older state, which is reported even if the clock changes', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('canary'))
    const reader = await folder.openConnection('read')
    await reader.exec('BEGIN')
    await reader.all('SELECT * FROM waitlist')
    await store.remove({ waitlist: ['canary@example.com'] })
    // The clock is set back while it waits.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const refused = expect(emptyLog(folder.database())).rejects.toThrow(inUse)
    vi.setSystemTime(Date.now() - 24 * 3_600_000)
    await refused
    await reader.exec('COMMIT')
    await emptyLog(folder.database())
    expect(bytes()).not.toContain('canary')
  })

  test('stay in the log while another connection writes, which is not called a reader', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('canary'))
    await store.remove({ waitlist: ['canary@example.com'] })
    const writer = await folder.openConnection('write')
    await writer.exec('BEGIN IMMEDIATE')
    await expect(emptyLog(folder.database())).rejects.toThrow(inUse)
    await writer.exec('ROLLBACK')
    await emptyLog(folder.database())
    expect(bytes()).not.toContain('canary')
  })

  test('do not block writes while the log cannot be emptied yet', async () => {
    const store = await folder.openStore(folder.database(), 1000)
    await store.addToWaitlist(entry('first'))
    const reader = await folder.openConnection('read')
    await reader.exec('BEGIN')
    await reader.all('SELECT * FROM waitlist')
    await store.addToWaitlist(entry('second'))
    let isEmptying = true
    const emptied = emptyLog(folder.database()).finally(() => {
      isEmptying = false
    })
    for (let i = 0; i < 6 && isEmptying; i += 1) {
      await setTimeout(100)
      expect(await store.addToWaitlist(entry(`during-${i}`))).toBe(true)
    }
    await reader.exec('COMMIT')
    await emptied
  })
})

test('a long log becomes short again', async () => {
  const store = await folder.openStore()
  const description = 'x'.repeat(1_000_000)
  const projects = Array.from({ length: 80 }, (_, i) => project({ id: `p${i}`, description }))
  await store.load({ ...emptyState(), teams, projects })
  const log = () => statSync(`${folder.database()}-wal`).size
  expect(log()).toBeGreaterThan(80_000_000)
  // The next commits restart the log.
  for (let i = 0; i < 3; i += 1) await store.addToWaitlist(entry(String(i)))
  expect(log()).toBeLessThanOrEqual(64 * 1024 * 1024)
})
