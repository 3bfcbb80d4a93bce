import { expect, test } from 'vitest'
import { projectReads } from '../../../src/store/sql/project-reads.js'
import type { SqlReader } from '../../../src/store/sql/sql-database.js'
import { sqliteDialect } from '../../../src/store/sqlite/dialect.js'

/** A reader of large lists. Reading a list takes until the test ends it. Each list contains the name of its team. */
function open() {
  const reading: { team: string; end(error?: Error): void }[] = []
  const row = (projects: unknown) => [{ list: JSON.stringify({ version: 'v1', projects }) }]
  const { listProjects } = projectReads({
    dialect: sqliteDialect,
    read: async () => row(null),
    readLarge: (_sql: string, team: string) =>
      new Promise((resolve, reject) => {
        reading.push({ team, end: (error) => (error ? reject(error) : resolve(row([team]))) })
      }),
  } as unknown as SqlReader)
  return {
    list: async (team: string) => (await listProjects(team)).projects as unknown[],
    /** Ends the reading of the next list. @returns its team */
    async end(error?: Error) {
      await expect.poll(() => reading).toHaveLength(1)
      const [next] = reading.splice(0)
      next?.end(error)
      return next?.team
    },
  }
}

test('a large list is returned as soon as it is read, while others still wait', async () => {
  const { list, end } = open()
  const [a, b, again] = [list('a'), list('b'), list('a')]
  expect(await end()).toBe('a')
  // It is not held in memory until the other lists are read.
  expect(await Promise.all([a, again])).toEqual([['a'], ['a']])
  expect(await end()).toBe('b')
  expect(await b).toEqual(['b'])
})

test('a failed read of a large list does not affect the lists of other teams', async () => {
  const { list, end } = open()
  const lists = Promise.allSettled(['a', 'b', 'c'].map(list))
  await end()
  await end(new Error('timeout'))
  await end()
  expect((await lists).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
