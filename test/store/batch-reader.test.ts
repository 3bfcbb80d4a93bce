import { describe, expect, test, vi } from 'vitest'
import { type BatchQuery, createBatchReader } from '../../src/store/batch-reader.js'
import { folderForEachTest } from './sqlite/sqlite-folder.js'

const folder = folderForEachTest()

describe('reads by key', () => {
  const query: BatchQuery<string> = { sql: 'SELECT key AS at, json_quote(value) AS found FROM json_each(?)' }

  test('that wait for the connection are one query, which starts after all of them', async () => {
    const connection = await folder.openConnection('create')
    const sent: unknown[] = []
    const read = createBatchReader({
      allDeferred: (sql, values) =>
        connection.allDeferred(sql, () => {
          const bound = values()
          sent.push(...bound)
          return bound
        }),
    })
    const first = read(query, 'a')
    await vi.waitFor(() => expect(sent).toEqual(['["a"]']))
    const others = ['b', 'a', 'b', 'c'].map((key) => read(query, key))
    expect(sent).toHaveLength(1)
    expect(await first).toEqual(['a'])
    expect(await Promise.all(others)).toEqual([['b'], ['a'], ['b'], ['c']])
    expect(sent).toEqual(['["a"]', '["b","a","c"]'])
  })

  test('return all rows of their key, in the order of the query', async () => {
    const rows = [
      { at: 1, found: '"a"' },
      { at: 0, found: '"b"' },
      { at: 0, found: '"another b"' },
    ]
    const read = createBatchReader({
      async allDeferred<Row>(_sql: string, values: () => unknown[]) {
        await Promise.resolve()
        values()
        return rows as Row[]
      },
    })
    const results = ['b', 'a', 'b', 'c'].map((key) => read(query, key))
    expect(await Promise.all(results)).toEqual([['b', 'another b'], ['a'], ['b', 'another b'], []])
  })

  test('return the row of their key, whatever characters it has', async () => {
    const read = createBatchReader(await folder.openConnection('create'))
    const keys = ['a', '', 'a\0b', '"', '\\', '[1]', '\u{1f600}', 'a']
    expect(await Promise.all(keys.map((key) => read(query, key)))).toEqual(keys.map((key) => [key]))
  })

  test('fail together, and the next ones succeed', async () => {
    const connection = await folder.openConnection('create')
    const read = createBatchReader(connection)
    const notes: BatchQuery<string> = {
      sql: `SELECT key AS at, json_quote(text) AS found FROM json_each(?) CROSS JOIN notes ON text = value`,
    }
    const failed = await Promise.allSettled(['a', 'b'].map((key) => read(notes, key)))
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await connection.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('a')")
    expect(await Promise.all(['a', 'b'].map((key) => read(notes, key)))).toEqual([['a'], []])
  })
})
