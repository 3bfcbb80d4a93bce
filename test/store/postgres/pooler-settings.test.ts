import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { inspectDatabase } from '../../../src/store/postgres/maintain.js'
import { listening, run, sessionSecret, start } from '../../cli/cli-process.js'
import { openPostgresStore } from '../open-stores.js'
import { addressOf, createDatabase, noPostgres } from './postgres-database.js'
import { noPgbouncer, startPgbouncer } from './start-pgbouncer.js'

const all = [
  'enable_hashjoin',
  'enable_mergejoin',
  'idle_in_transaction_session_timeout',
  'statement_timeout',
]
const statementIn = /ALTER ROLE \S+ SET (\w+) = '\w+';/g

/** The warnings of a start, and the output of `config --check`. `inspectDatabase` must find the same warnings. */
async function findWarnings(url: string, timeoutMs?: number) {
  const onWarning = vi.fn<(warning: string) => void>()
  const store = await openPostgresStore(addressOf(url), { onWarning, timeoutMs })
  await Promise.all(['a', 'b', 'c'].map((id) => store.team(id)))
  await store.close()
  const { warnings = [] } = await inspectDatabase(addressOf(url), { timeoutMs })
  expect(onWarning.mock.calls.flat()).toEqual(warnings)
  return warnings[0]
}

describe.skipIf(noPostgres || noPgbouncer)('the settings that the role needs behind PgBouncer', () => {
  test('are named at the start and by config --check, with the statements, until they are set', async () => {
    const { url, run: runSql, drop } = await createDatabase()
    onTestFinished(drop)
    // PgBouncer opens new sessions, which have the settings of the role.
    const behindNew = async () => {
      const pgbouncer = await startPgbouncer('transaction', 3)
      onTestFinished(pgbouncer.stop)
      return pgbouncer.behind(url)
    }
    const database = await behindNew()
    const warning = (await findWarnings(database, 7000)) ?? ''
    expect(warning).toContain(
      `settings that it lacks: ${all.join(', ')}. Run, and restart the pooler: ALTER ROLE`,
    )
    expect(warning).toContain("SET statement_timeout = '7000ms';")

    const check = () =>
      run(['config', '--check', '--port', '0'], {
        env: { DASHBOARD_API_DATABASE: database, DASHBOARD_API_SESSION_SECRET: sessionSecret },
      })
    const { code, stderr } = await check()
    expect(code, stderr).toBe(0)
    expect([...stderr.matchAll(statementIn)].map(([, name]) => name)).toEqual(all)

    const serving = start(['serve', '--port', '0', '--json'], {
      env: { DASHBOARD_API_DATABASE: database, DASHBOARD_API_SESSION_SECRET: sessionSecret },
    })
    await listening(serving)
    await serving.until('stdout', /"level":40.*settings that it lacks/)

    const statements = [...warning.matchAll(statementIn)].map(([statement]) =>
      // Other tests have the same role.
      statement.replace(' SET ', ` IN DATABASE ${new URL(url).pathname.slice(1)} SET `),
    )
    await runSql(statements.slice(1).join(''))
    expect(await findWarnings(await behindNew())).toMatch(
      /lacks: enable_hashjoin\. Run.*: ALTER ROLE \S+ SET enable_hashjoin = 'off';$/,
    )
    await runSql(statements.join(''))
    expect(await findWarnings(await behindNew())).toBeUndefined()
  })

  test('are not needed without a pooler', async () => {
    const { url, drop } = await createDatabase()
    onTestFinished(drop)
    expect(await findWarnings(url)).toBeUndefined()
  })
})
