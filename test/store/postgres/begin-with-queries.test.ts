import { expect, test } from 'vitest'
import { beginWithQueries } from '../../../src/store/postgres/connection.js'
import { runTransaction } from '../../../src/store/sql/run-transaction.js'
import type { SqlConnection } from '../../../src/store/sql/sql-database.js'

/** A connection that answers in order, each statement in a later turn, and records the sent and answered statements. */
function slowConnection(failing = '') {
  const log: string[] = []
  let last: Promise<unknown> = Promise.resolve()
  const send = <Result>(sql: string, result: Result): Promise<Result> => {
    log.push(sql)
    const answer = last
      .then(() => new Promise(setImmediate))
      .then(() => {
        log.push(`answer to ${sql}`)
        if (sql === failing) throw new Error(`${sql} fails`)
        return result
      })
    last = answer.catch(() => {})
    return answer
  }
  const connection: SqlConnection = {
    all: (sql) => send(sql, []),
    run: (sql) => send(sql, 1),
    exec: (script) => send(script, undefined),
  }
  return { connection, log }
}

const writeAfterQueries = async (connection: SqlConnection) => {
  await Promise.all([connection.all('SELECT 1'), connection.all('SELECT 2')])
  await Promise.all([connection.all('INSERT 1'), connection.run('INSERT 2')])
  return 'written'
}

test('BEGIN and the queries after it are sent together, and so are writes', async () => {
  const { connection, log } = slowConnection()
  let begun = 0
  const onBegun = () => {
    begun = log.length
  }
  const beginning = beginWithQueries(connection, 'BEGIN', onBegun)
  expect(await runTransaction(beginning, 'BEGIN', writeAfterQueries)).toBe('written')
  const answers = (...statements: string[]) => statements.map((sql) => `answer to ${sql}`)
  const trips = [['BEGIN', 'SELECT 1', 'SELECT 2'], ['INSERT 1', 'INSERT 2'], ['COMMIT']]
  expect(log).toEqual(trips.flatMap((sent) => [...sent, ...answers(...sent)]))
  expect(begun).toBe(4)
})

test.each([
  ['after queries', writeAfterQueries, ['BEGIN', 'SELECT 1', 'SELECT 2']],
  ['at once', (connection: SqlConnection) => connection.run('UPDATE'), ['BEGIN']],
  ['by a query', (connection: SqlConnection) => connection.all('INSERT RETURNING'), ['BEGIN']],
  ['by a script', (connection: SqlConnection) => connection.exec('TRUNCATE'), ['BEGIN']],
])('a transaction that did not begin sends nothing that writes, %s', async (_, work, sent) => {
  const { connection, log } = slowConnection('BEGIN')
  let hasBegun = false
  const onBegun = () => {
    hasBegun = true
  }
  const beginning = beginWithQueries(connection, 'BEGIN', onBegun)
  await expect(runTransaction<unknown>(beginning, 'BEGIN', work)).rejects.toThrow('BEGIN fails')
  expect(log.filter((line) => !line.startsWith('answer'))).toEqual(sent)
  expect(hasBegun).toBe(false)
})
