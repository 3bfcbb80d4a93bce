// Copies a million projects between databases, beside a seeding of the same: time and peak memory of each command.
// PostgreSQL is the one of DASHBOARD_API_TEST_POSTGRES, or else one from npm. `npm run bench:copy [projects]`
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createJiti } from 'jiti'
import pg from 'pg'

const projects = Number(process.argv[2] ?? 1_000_000)
const bin = fileURLToPath(new URL('../bin/dashboard-api.js', import.meta.url))
const files = mkdtempSync(join(tmpdir(), 'copy-at-size-'))
const file = (name) => join(files, name)

// Each command prints its peak memory in KiB when it exits.
const peak = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`
const hook = `data:text/javascript,${encodeURIComponent(peak)}`

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

/** Runs a command and prints its time, beside that of another one. @returns seconds */
function measure(label, args, reference) {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, ['--import', hook, bin, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, PGPASSWORD: decodeURIComponent(new URL(server.url).password) },
  })
  if (status !== 0) throw new Error(`${label} exited with ${status}: ${stderr}`)
  const seconds = (performance.now() - started) / 1000
  const mib = Number(stderr.match(/peak (\d+)/)[1]) / 1024
  const ratio = reference ? `${(reference / seconds).toFixed(2)} times as fast as the seeding` : ''
  console.log(
    `${label.padEnd(34)}${seconds.toFixed(1).padStart(8)} s${mib.toFixed(0).padStart(7)} MiB  ${ratio}`.trimEnd(),
  )
  return seconds
}

const copy = (from, to) => ['database', 'copy', '--from', from, '--to', to]

try {
  const teams = Math.ceil(projects / 1000)
  const data = ['--teams', `${teams}`, '--projects', `${projects / teams}`, '--users', '5', '--seed', '42']
  const [seeded, copied] = [await createDatabase(), await createDatabase()]
  const toFile = measure('seed a SQLite file', ['seed', '--database', file('a.db'), ...data])
  const toServer = measure('seed PostgreSQL', ['seed', '--database', seeded, ...data])
  measure('copy SQLite to PostgreSQL', copy(file('a.db'), copied), toServer)
  measure('copy PostgreSQL to SQLite', copy(copied, file('b.db')), toFile)
  measure('copy SQLite to SQLite', copy(file('a.db'), file('c.db')), toFile)
  measure('copy PostgreSQL to PostgreSQL', copy(seeded, await createDatabase()), toServer)
  measure('compare SQLite with PostgreSQL', copy(file('a.db'), copied))
} finally {
  for (const name of created) await client.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await client.end()
  await server.stop()
  rmSync(files, { recursive: true, force: true })
}
