import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ProjectChanges } from '../../../src/contract/schemas.js'
import type { BatchQuery } from '../../../src/store/sqlite/batch-queries.js'
import { createReader } from '../../../src/store/sqlite/batch-reader.js'
import type { Connection } from '../../../src/store/sqlite/connection.js'
import { type BatchStatement, createWriter } from '../../../src/store/sqlite/writer.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { acmeProject, entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()
const acme = { id: 'acme', name: 'Acme', orgCode: 'org_acme' }

describe('writes that wait together', () => {
  /** A writer over a handle that notes its statements; the first commit lasts until it is let go. */
  async function watchedWriter() {
    const handle = await folder.openHandle('create')
    await handle.exec('CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT')
    const ran: string[] = []
    const watched: Connection = {
      ...handle,
      run(sql, ...values) {
        ran.push(sql.split(' ')[0] ?? '')
        return handle.run(sql, ...values)
      },
    }
    const writer = createWriter(watched, 5000)
    let letGo = () => {}
    const held = writer.write(() => new Promise<void>((resolve) => (letGo = resolve)))
    await vi.waitFor(() => expect(ran).toEqual(['BEGIN']))
    const rows = async () =>
      (await handle.all<{ text: string }>('SELECT text FROM notes')).map(({ text }) => text)
    const release = async () => {
      letGo()
      await held
    }
    return { writer, ran, rows, release }
  }

  const note: BatchStatement<string, string> = {
    async run(handle, texts) {
      await handle.run('INSERT INTO notes SELECT value FROM json_each(?)', JSON.stringify(texts))
      return texts.map((text) => `noted ${text}`)
    },
  }

  test('are one statement where it is the same, each with its own result', async () => {
    const { writer, ran, rows, release } = await watchedWriter()
    const results = ['a', 'b', 'c'].map((text) => writer.run(note, text))
    expect(writer.waiting()).toBe(3)
    await release()
    expect(await Promise.all(results)).toEqual(['noted a', 'noted b', 'noted c'])
    expect(ran).toEqual(['BEGIN', 'COMMIT', 'INSERT'])
    expect(await rows()).toEqual(['a', 'b', 'c'])
  })

  test('are one after the other in one commit where they are about the same', async () => {
    const { writer, ran, rows, release } = await watchedWriter()
    const ofLetter = { ...note, conflictKey: (text: string) => text.charAt(0) }
    const results = ['a1', 'b1', 'a2', 'a3', 'b2', 'c1'].map((text) => writer.run(ofLetter, text))
    await release()
    expect(await Promise.all(results)).toContain('noted a3')
    expect(ran.slice(2)).toEqual(['BEGIN', 'INSERT', 'INSERT', 'INSERT', 'COMMIT'])
    expect(await rows()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  test('are one commit where they differ', async () => {
    const { writer, ran, release } = await watchedWriter()
    const results = [
      writer.write(async (handle) => handle.run("INSERT INTO notes VALUES ('w')")),
      writer.run(note, 'a'),
      writer.run(note, 'b'),
    ]
    await release()
    expect(await Promise.all(results)).toEqual([1, 'noted a', 'noted b'])
    expect(ran).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'INSERT', 'INSERT', 'COMMIT'])
  })

  test('are tried by themselves where one of them fails, and only that one fails', async () => {
    const { writer, rows, release } = await watchedWriter()
    const results = Promise.allSettled([
      writer.run(note, 'a'),
      writer.run(note, 'a'),
      writer.write(async (handle) => {
        await handle.run("INSERT INTO notes VALUES ('half')")
        throw new Error('a fault')
      }),
      writer.run(note, 'b'),
    ])
    await release()
    expect(await results).toMatchObject([
      { value: 'noted a' },
      { reason: { code: 'SQLITE_CONSTRAINT' } },
      { reason: new Error('a fault') },
      { value: 'noted b' },
    ])
    expect((await rows()).sort()).toEqual(['a', 'b'])
  })

  test('fail together where the database is out of reach', async () => {
    const { writer, ran, release } = await watchedWriter()
    const locked = async () => Promise.reject(new StoreUnavailableError('locked'))
    const results = Promise.allSettled([writer.write(locked), writer.run(note, 'a')])
    await release()
    for (const result of await results)
      expect(result).toMatchObject({ reason: new StoreUnavailableError('locked') })
    expect(ran).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'ROLLBACK'])
  })
})

describe('writes that come again and again', () => {
  /** A writer whose time stands still: what waits for others waits until it is told to go on. */
  async function countingWriter() {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const writer = createWriter(await folder.openHandle('create'), 5000)
    const sizes: number[] = []
    const count: BatchStatement<number, void> = {
      async run(handle, items) {
        await handle.all('SELECT 1')
        sizes.push(items.length)
        return []
      },
    }
    const write = async (times: number) => {
      for (let i = 0; i < times; i += 1) await writer.run(count, i)
    }
    return { writer, sizes, write }
  }

  test('by one share nothing, and wait for nobody', async () => {
    const { sizes, write } = await countingWriter()
    await write(3)
    expect(sizes).toEqual([1, 1, 1])
  })

  test('by several wait for each other, and a moment for one that stays away', async () => {
    const { writer, sizes, write } = await countingWriter()
    const one = write(5)
    const other = write(6)
    await one
    await turn()
    expect(writer.waiting()).toBe(1)
    expect(sizes).toEqual([2, 2, 2, 2, 2])
    vi.advanceTimersByTime(1)
    await other
    await write(2)
    expect(sizes).toEqual([2, 2, 2, 2, 2, 1, 1, 1])
  })

  test('by very many wait for nobody: there are enough while a commit is running', async () => {
    const { sizes, write } = await countingWriter()
    await Promise.all(Array.from({ length: 40 }, () => write(1)))
    expect(sizes).toEqual([40])
    await write(1)
    expect(sizes).toEqual([40, 1])
  })
})

describe('sqlite store: writes at the same time', () => {
  test('of one project each give it as it was after them, and of a project of another team nothing', async () => {
    const store = await folder.openStore()
    await store.addTeam(acme)
    await store.addTeam({ id: 'globex', name: 'Globex', orgCode: 'org_globex' })
    await store.addProject(acmeProject('p'))
    await store.addProject(acmeProject('q'))
    const update = (teamId: string, id: string, changes: ProjectChanges) =>
      store.updateProject(teamId, id, changes)
    const results = await Promise.all([
      update('acme', 'p', { status: 'one' }),
      update('globex', 'p', { status: 'stolen' }),
      update('acme', 'q', { name: 'Q' }),
      update('acme', 'p', { name: 'P' }),
      update('acme', 'p', { status: 'two' }),
      update('acme', 'none', { status: 'lost' }),
    ])
    const [p, q] = [acmeProject('p'), acmeProject('q')]
    const [first, last] = [
      { ...p, status: 'one' },
      { ...p, name: 'P', status: 'two' },
    ]
    expect(results).toEqual([first, undefined, { ...q, name: 'Q' }, { ...first, name: 'P' }, last, undefined])
    expect(await store.listProjects('acme')).toEqual([{ ...q, name: 'Q' }, last])
  })

  test('one project with an id that is taken harms none of the others', async () => {
    const store = await folder.openStore()
    await store.addTeam(acme)
    await store.addProject(acmeProject('taken'))
    const ids = ['one', 'taken', 'two', 'three']
    const results = await Promise.allSettled(ids.map((id) => store.addProject(acmeProject(id))))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(await store.listProjects('acme')).toHaveLength(4)
  })

  test('an address twice is added once, and the first is told so', async () => {
    const store = await folder.openStore()
    const added = ['a', 'b', 'a', 'b', 'c'].map((name) => store.addToWaitlist(entry(name)))
    expect(await Promise.all(added)).toEqual([true, true, false, false, true])
    expect((await names(store)).sort()).toEqual(['a', 'b', 'c'])
  })

  test('each is committed when it is acknowledged, after one that met a lock too', async () => {
    const store = await folder.openStore(folder.database(), 50)
    const other = await folder.openHandle()
    await other.exec('BEGIN IMMEDIATE')
    await expect(store.addToWaitlist(entry('locked'))).rejects.toThrow(StoreUnavailableError)
    await expect(store.probe()).rejects.toThrow(StoreUnavailableError)
    await other.exec('ROLLBACK')
    await store.addToWaitlist(entry('kept'))
    expect(await other.all('SELECT email FROM waitlist')).toEqual([{ email: 'kept@example.com' }])
  })
})

describe('look-ups that wait together', () => {
  const lookup: BatchQuery<string> = { sql: 'SELECT key AS at, json_quote(value) AS found FROM json_each(?)' }

  test('are one query, which begins after all of them asked', async () => {
    const finishers: ((rows: { at: number; found: string }[]) => void)[] = []
    const all = vi.fn((_sql: string, _keys: string) => new Promise((resolve) => finishers.push(resolve)))
    const reader = createReader({ all, close: async () => {} } as unknown as Connection)
    const first = reader.find(lookup, 'a')
    await vi.waitFor(() => expect(all).toHaveBeenCalledTimes(1))
    const others = ['b', 'a', 'b', 'c'].map((key) => reader.find(lookup, key))
    finishers[0]?.([{ at: 0, found: '"old a"' }])
    expect(await first).toEqual(['old a'])
    await vi.waitFor(() => expect(all).toHaveBeenCalledTimes(2))
    expect(all.mock.lastCall).toEqual([lookup.sql, '["b","a","c"]'])
    finishers[1]?.([
      { at: 1, found: '"a"' },
      { at: 0, found: '"b"' },
      { at: 0, found: '"another b"' },
    ])
    expect(await Promise.all(others)).toEqual([['b', 'another b'], ['a'], ['b', 'another b'], []])
  })

  test('give each key its own, whatever is in it', async () => {
    const reader = createReader(await folder.openHandle('create'))
    const keys = ['a', '', 'a\0b', '"', '\\', '[1]', '\u{1f600}', 'a']
    expect(await Promise.all(keys.map((key) => reader.find(lookup, key)))).toEqual(keys.map((key) => [key]))
  })

  test('fail together, and the next go on', async () => {
    const handle = await folder.openHandle('create')
    const reader = createReader(handle)
    const ofNotes: BatchQuery<string> = {
      sql: `SELECT key AS at, json_quote(text) AS found FROM json_each(?) CROSS JOIN notes ON text = value`,
    }
    const failed = await Promise.allSettled(['a', 'b'].map((key) => reader.find(ofNotes, key)))
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await handle.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('a')")
    expect(await Promise.all(['a', 'b'].map((key) => reader.find(ofNotes, key)))).toEqual([['a'], []])
  })
})
