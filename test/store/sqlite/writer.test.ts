import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Connection } from '../../../src/store/sqlite/connection.js'
import { type BatchStatement, createWriter } from '../../../src/store/sqlite/writer.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('writes that wait for the same commit', () => {
  /** A writer that records its statements. Its first commit lasts until `release` is called. */
  async function recordingWriter(queueTimeoutMs = 5000) {
    const connection = await folder.openConnection('create')
    await connection.exec('CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT')
    const ran: string[] = []
    const recording: Connection = {
      ...connection,
      run(sql, ...values) {
        ran.push(sql.split(' ')[0] ?? '')
        return connection.run(sql, ...values)
      },
    }
    const writer = createWriter(recording, queueTimeoutMs)
    let endFirst: (() => void) | undefined
    const first = writer.write(() => new Promise<void>((resolve) => (endFirst = resolve)))
    await vi.waitFor(() => expect(endFirst).toBeDefined())
    const rows = async () =>
      (await connection.all<{ text: string }>('SELECT text FROM notes')).map(({ text }) => text)
    const release = async () => {
      endFirst?.()
      await first
    }
    return { writer, ran, rows, release }
  }

  const note: BatchStatement<string, string> = {
    async run(connection, texts) {
      await connection.run('INSERT INTO notes SELECT value FROM json_each(?)', JSON.stringify(texts))
      return texts.map((text) => `noted ${text}`)
    },
  }

  test('are one statement if they have the same, each with its own result', async () => {
    const { writer, ran, rows, release } = await recordingWriter()
    const results = ['a', 'b', 'c'].map((text) => writer.run(note, text))
    expect(writer.waiting()).toBe(3)
    await release()
    expect(await Promise.all(results)).toEqual(['noted a', 'noted b', 'noted c'])
    expect(ran).toEqual(['BEGIN', 'COMMIT', 'INSERT'])
    expect(await rows()).toEqual(['a', 'b', 'c'])
  })

  test('run in order, in one commit, if their conflict keys are equal', async () => {
    const { writer, ran, rows, release } = await recordingWriter()
    const byLetter = { ...note, conflictKey: (text: string) => text.charAt(0) }
    const results = ['a1', 'b1', 'a2', 'a3', 'b2', 'c1'].map((text) => writer.run(byLetter, text))
    await release()
    expect(await Promise.all(results)).toContain('noted a3')
    expect(ran.slice(2)).toEqual(['BEGIN', 'INSERT', 'INSERT', 'INSERT', 'COMMIT'])
    expect(await rows()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  test('are one commit if their statements differ', async () => {
    const { writer, ran, release } = await recordingWriter()
    const results = [
      writer.write(async (connection) => connection.run("INSERT INTO notes VALUES ('w')")),
      writer.run(note, 'a'),
      writer.run(note, 'b'),
    ]
    await release()
    expect(await Promise.all(results)).toEqual([1, 'noted a', 'noted b'])
    expect(ran).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'INSERT', 'INSERT', 'COMMIT'])
  })

  test('are committed one by one if one of them fails, and only that one fails', async () => {
    const { writer, rows, release } = await recordingWriter()
    const results = Promise.allSettled([
      writer.run(note, 'a'),
      writer.run(note, 'a'),
      writer.write(async (connection) => {
        await connection.run("INSERT INTO notes VALUES ('half')")
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

  test('are not repeated if they fail alone', async () => {
    const { writer, ran, release } = await recordingWriter()
    await release()
    await expect(writer.write(() => Promise.reject(new Error('a fault')))).rejects.toThrow('a fault')
    expect(ran).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'ROLLBACK'])
  })

  test('fail without being run if they waited too long', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const { writer, rows, release } = await recordingWriter(100)
    const late = writer.run(note, 'late')
    vi.advanceTimersByTime(1)
    const inTime = writer.run(note, 'in time')
    vi.advanceTimersByTime(100)
    const results = Promise.allSettled([late, inTime])
    await release()
    expect(await results).toMatchObject([
      { reason: expect.any(StoreUnavailableError) },
      { value: 'noted in time' },
    ])
    await expect(late).rejects.toThrow('waited too long')
    expect(await rows()).toEqual(['in time'])
  })

  test('fail together if the database is unavailable', async () => {
    const { writer, ran, release } = await recordingWriter()
    const locked = async () => Promise.reject(new StoreUnavailableError('locked'))
    const results = Promise.allSettled([writer.write(locked), writer.run(note, 'a')])
    await release()
    for (const result of await results)
      expect(result).toMatchObject({ reason: new StoreUnavailableError('locked') })
    expect(ran).toEqual(['BEGIN', 'COMMIT', 'BEGIN', 'ROLLBACK'])
  })
})

describe('repeated writes', () => {
  /** A writer with fake timers: a commit that waits for other writers waits until the clock is advanced. */
  async function countingWriter() {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const writer = createWriter(await folder.openConnection('create'), 5000)
    const sizes: number[] = []
    const count: BatchStatement<number, void> = {
      async run(connection, items) {
        await connection.all('SELECT 1')
        sizes.push(items.length)
        return []
      },
    }
    const write = async (times: number) => {
      for (let i = 0; i < times; i += 1) await writer.run(count, i)
    }
    return { writer, sizes, write }
  }

  test('by one writer wait for nobody', async () => {
    const { sizes, write } = await countingWriter()
    await write(3)
    expect(sizes).toEqual([1, 1, 1])
  })

  test('by several writers wait for each other, and a moment for a missing one', async () => {
    const { writer, sizes, write } = await countingWriter()
    const one = write(5)
    const other = write(6)
    await one
    await setImmediate()
    expect(writer.waiting()).toBe(1)
    expect(sizes).toEqual([2, 2, 2, 2, 2])
    vi.advanceTimersByTime(1)
    await other
    await write(2)
    expect(sizes).toEqual([2, 2, 2, 2, 2, 1, 1, 1])
  })

  test('by very many writers wait for nobody', async () => {
    const { sizes, write } = await countingWriter()
    await Promise.all(Array.from({ length: 40 }, () => write(1)))
    expect(sizes).toEqual([40])
    await write(1)
    expect(sizes).toEqual([40, 1])
  })
})

describe('sqlite store: concurrent writes', () => {
  test('are committed when they are acknowledged, also after one that failed with SQLITE_BUSY', async () => {
    const store = await folder.openStore(folder.database(), 50)
    const other = await folder.openConnection()
    await other.exec('BEGIN IMMEDIATE')
    await expect(store.addToWaitlist(entry('locked'))).rejects.toThrow(StoreUnavailableError)
    await expect(store.probe()).rejects.toThrow(StoreUnavailableError)
    await other.exec('ROLLBACK')
    await store.addToWaitlist(entry('kept'))
    expect(await other.all('SELECT email FROM waitlist')).toEqual([{ email: 'kept@example.com' }])
  })
})
