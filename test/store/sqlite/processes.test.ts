import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { entry, folderForEachTest, names } from './sqlite-folder.js'

const folder = folderForEachTest()

describe('sqlite store: processes', () => {
  const start = (name: string, count: number) => {
    const script = fileURLToPath(new URL('./sqlite-process.js', import.meta.url))
    const child = spawn(process.execPath, [script, folder.database(), name, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return { child, lines: createInterface(child.stdout), exit: once(child, 'exit') }
  }

  test('that start on the same new file can all write, without losing a write', async () => {
    const writers = ['a', 'b', 'c'].map((name) => start(name, 100))
    const exits = await Promise.all(writers.map(({ exit }) => exit))
    expect(exits).toEqual([
      [0, null],
      [0, null],
      [0, null],
    ])
    const expected = ['a', 'b', 'c'].flatMap((name) => Array.from({ length: 100 }, (_, i) => `${name}-${i}`))
    expect((await names(await folder.openStore())).sort()).toEqual(expected.sort())
  })

  test('a crash before the switch to WAL is rolled back', async () => {
    const store = await folder.openStore()
    await store.addToWaitlist(entry('kept'))
    await store.close()
    const other = await folder.openConnection()
    await other.all('PRAGMA journal_mode = DELETE')
    await other.exec('PRAGMA cache_size = 1; BEGIN IMMEDIATE')
    const insert = `INSERT INTO waitlist (email, created_at) VALUES (?, '')`
    for (let i = 0; i < 50; i += 1) await other.run(insert, `${i}`.padStart(3000))
    const crashed = folder.path('crashed.db')
    await copyFile(folder.database(), crashed)
    await copyFile(`${folder.database()}-journal`, `${crashed}-journal`)
    await other.run('ROLLBACK')

    const recovered = await folder.openStore(crashed)
    expect(await names(recovered)).toEqual(['kept'])
  })
})
