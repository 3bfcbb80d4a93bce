// A PostgreSQL from npm for the benchmark, with its default settings: a commit is durable.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { importPostgres } from '../../test/programs/embedded-postgres.js'
import { freePort } from '../free-port.js'
import { pin } from './processes.js'

/**
 * Starts a server with an empty data folder, on the core of the load generator. Clients that this process starts find
 * the password in their environment.
 * @returns its `release`; `create(name)`, which creates a database and returns its address; `execute(address,
 *   ...statements)`, which returns the rows of each; `settle(address)`, which does now what the server would do later in
 *   the background; `cpuMs()`, the CPU time of all its processes; `stop()`
 * @throws where its binary is not installed, or does not run on this platform
 */
export async function startPostgres() {
  const port = await freePort()
  const password = 'benchmark'
  process.env.PGPASSWORD = password
  const databaseDir = mkdtempSync(join(tmpdir(), 'dashboard-api-bench-postgres-'))
  let output = ''
  const options = {
    databaseDir,
    port,
    user: 'bench',
    password,
    authMethod: 'scram-sha-256',
    persistent: false,
    // PostgreSQL does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: (message) => {
      output = `${output}${message}`.slice(-2000)
    },
    onError: () => {},
  }
  let server
  try {
    const EmbeddedPostgres = await importPostgres()
    server = new EmbeddedPostgres(options)
    await server.initialise()
    await server.start()
  } catch (error) {
    rmSync(databaseDir, { recursive: true, force: true })
    throw new Error(`PostgreSQL cannot be started here: ${error?.message ?? ''} ${output}`)
  }
  const { process: postmaster } = server
  pin(postmaster, 1)
  const addressOf = (name) => `postgres://bench@127.0.0.1:${port}/${name}`
  const execute = async (address, ...statements) => {
    const client = new pg.Client(address)
    await client.connect()
    const results = []
    for (const statement of statements) results.push((await client.query(statement)).rows)
    await client.end()
    return results
  }
  const [[{ server_version: release }]] = await execute(addressOf('postgres'), 'SHOW server_version')
  return {
    release,
    async create(name) {
      await execute(addressOf('postgres'), `CREATE DATABASE ${name}`)
      return addressOf(name)
    },
    execute,
    settle: (address) => execute(address, 'VACUUM ANALYZE', 'CHECKPOINT'),
    cpuMs: cpuOf(postmaster.pid),
    stop: () => server.stop(),
  }
}

/**
 * A function that returns the CPU time of a process and its children in ms, NaN if the system does not report it. A child
 * that ended counts with what was seen of it.
 */
function cpuOf(parent) {
  if (!existsSync('/proc/self/schedstat')) return () => Number.NaN
  const seen = new Map()
  return () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
        if (Number(pid) !== parent && Number(fields[1]) !== parent) continue
        // In nanoseconds; the file `stat` has hundredths of a second.
        seen.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
      } catch {
        // It ended meanwhile.
      }
    }
    return [...seen.values()].reduce((sum, ms) => sum + ms, 0)
  }
}
