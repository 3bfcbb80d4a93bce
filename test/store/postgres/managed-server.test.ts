import { describe, expect, onTestFinished, test } from 'vitest'
import { checkDatabase, inspectDatabase } from '../../../src/store/postgres/maintain.js'
import { openPostgresStore } from '../open-stores.js'
import { acmeProject } from '../sqlite/sqlite-folder.js'
import { addTeams } from '../store-suite/records.js'
import { addressOf, createDatabase, noPostgres, openClient } from './postgres-database.js'

/** The functions that managed servers refuse. */
const functions = [
  'pg_control_system()',
  'pg_control_checkpoint()',
  'pg_current_wal_lsn()',
  'pg_walfile_name(pg_lsn)',
]

/** A database as on a managed server: its owner is no superuser, and may not call some functions. */
async function createManaged(refused: string[]) {
  const { url, run, drop } = await createDatabase()
  const login = new URL(url)
  const role = `managed_${login.pathname.slice(6, 20)}`
  const database = login.pathname.slice(1)
  await run(`CREATE ROLE ${role} LOGIN PASSWORD 'canary'; ALTER DATABASE ${database} OWNER TO ${role}`)
  for (const each of refused) await run(`REVOKE EXECUTE ON FUNCTION ${each} FROM PUBLIC`)
  onTestFinished(async () => {
    await run(`ALTER DATABASE ${database} OWNER TO CURRENT_USER`)
    await run(`REASSIGN OWNED BY ${role} TO CURRENT_USER; DROP ROLE ${role}`)
    await drop()
  })
  return (parameters = '') =>
    addressOf(Object.assign(new URL(`${url}${parameters}`), { username: role, password: 'canary' }).href)
}

async function use(address: ReturnType<typeof addressOf>) {
  const warnings: string[] = []
  const store = await openPostgresStore(address, { onWarning: (warning) => warnings.push(warning) })
  onTestFinished(store.close)
  await addTeams(store)
  const writes = Array.from({ length: 30 }, (_, i) => store.addProject(acmeProject(`p${i}`)))
  expect((await Promise.all(writes)).filter(Boolean)).toEqual([])
  expect((await store.listProjects('acme')).projects).toHaveLength(30)
  return warnings
}

describe.skipIf(noPostgres)('a server of a provider', () => {
  test('is used without the functions that it refuses, with one warning for each missing fact', async () => {
    const address = await createManaged(functions)
    const untold = [
      'the server does not tell whether it is another database than before (pg_control_system)',
      'the server does not tell whether it was replaced by a promoted server (pg_current_wal_lsn)',
    ]
    expect(await use(address())).toEqual(untold)
    expect((await inspectDatabase(address(), {})).warnings).toEqual(untold)
    expect((await checkDatabase(address(), {})).ok).toBe(true)
  })

  test('is used with the functions that it allows', async () => {
    const address = await createManaged(['pg_control_system()'])
    expect(await use(address())).toEqual([expect.stringContaining('(pg_control_system)')])
  })

  test.each([
    ['?sslmode=disable&channel_binding=require', ['channel_binding=require']],
    ['?options=-c%20enable_seqscan%3Doff&application_name=dash&connect_timeout=10', ['connect_timeout']],
  ])('is reached with %s', async (parameters, ignored) => {
    const address = await createManaged([])
    expect(await use(address(parameters))).toEqual(ignored.map((name) => expect.stringContaining(name)))
  })

  test('receives the options and the application name of the address', async () => {
    const address = await createManaged([])
    const store = await openPostgresStore(
      address('?options=-c%20statement_timeout%3D1234%20-c%20search_path%3Dpublic&application_name=named'),
    )
    onTestFinished(store.close)
    await store.listTeams()
    const client = await openClient(address().url)
    onTestFinished(() => client.end())
    const { rows } = await client.query("SELECT FROM pg_stat_activity WHERE application_name = 'named'")
    expect(rows).not.toEqual([])
  })
})
