// Copies a million projects between databases, beside a seeding of the same: time and peak memory of each command.
// PostgreSQL is the one of DASHBOARD_API_TEST_POSTGRES, or else one from npm. `npm run bench:copy [projects]`
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createJiti } from 'jiti'
import pg from 'pg'
import { measure } from './measured-command.js'

const projects = Number(process.argv[2] ?? 1_000_000)
const files = mkdtempSync(join(tmpdir(), 'copy-at-size-'))
const file = (name) => join(files, name)

const server = process.env.DASHBOARD_API_TEST_POSTGRES
  ? { url: process.env.DASHBOARD_API_TEST_POSTGRES, stop: async () => {} }
  : await startServer()
const client = new pg.Client({ connectionString: server.url })
await client.connect()
const created = []

async function startServer() {
  const { startPostgres } = await createJiti(import.meta.url).import(
    '../test/store/postgres/start-postgres.ts',
  )
  return startPostgres(['fsync=on'])
}

/** The address of a new database, without its password. */
async function createDatabase() {
  const name = `copy_${randomUUID().replaceAll('-', '')}`
  await client.query(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
  created.push(name)
  const url = new URL(server.url)
  url.pathname = name
  url.password = ''
  return url.href
}

/** Runs a command, and prints its time beside that of another one. @returns seconds */
const run = (label, args, reference) => {
  const env = { PGPASSWORD: decodeURIComponent(new URL(server.url).password) }
  return measure(label, args, { env, reference })
}

const copy = (from, to) => ['database', 'copy', '--from', from, '--to', to]

try {
  const teams = Math.ceil(projects / 1000)
  const data = ['--teams', `${teams}`, '--projects', `${projects / teams}`, '--users', '5', '--seed', '42']
  const [seeded, copied] = [await createDatabase(), await createDatabase()]
  const toFile = run('seed a SQLite file', ['seed', '--database', file('a.db'), ...data])
  const toServer = run('seed PostgreSQL', ['seed', '--database', seeded, ...data])
  run('copy SQLite to PostgreSQL', copy(file('a.db'), copied), toServer)
  run('copy PostgreSQL to SQLite', copy(copied, file('b.db')), toFile)
  run('copy SQLite to SQLite', copy(file('a.db'), file('c.db')), toFile)
  run('copy PostgreSQL to PostgreSQL', copy(seeded, await createDatabase()), toServer)
  run('compare SQLite with PostgreSQL', copy(file('a.db'), copied))
} finally {
  for (const name of created) await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await client.end()
  await server.stop()
  rmSync(files, { recursive: true, force: true })
}
