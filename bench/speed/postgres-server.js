// A PostgreSQL from npm for the benchmark: a commit is durable.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPostgres, password } from '../drills/postgres-server.js'
import { pin } from './processes.js'

/** The defaults of PostgreSQL. */
const settings = { shared_buffers: '128MB', wal_keep_size: '0' }

/**
 * Starts a server on the core of the load generator. Clients that this process starts find the password in their environment.
 * @returns `create(name)`, which creates a database and returns its address; `run(address, ...statements)`; `settle(address)`,
 *   which does now what the server would do later in the background; `cpuMs()`, the CPU time of all its processes; `stop()`
 */
export async function startPostgres(folder) {
  const server = await createPostgres(join(folder, 'postgres'), settings, ['--encoding=UTF8', '--locale=C'])
  process.env.PGPASSWORD = password
  pin(server, 1)
  const run = async (address, ...statements) => {
    const database = new URL(address).pathname.slice(1)
    for (const statement of statements) await server.query(statement, { in: database })
  }
  return {
    async create(name) {
      await server.query(`CREATE DATABASE ${name}`)
      const address = Object.assign(new URL(server.url), { pathname: name, password: '' })
      return address.href
    },
    run,
    settle: (address) => run(address, 'VACUUM ANALYZE', 'CHECKPOINT'),
    cpuMs: cpuOf(server.pid),
    stop: server.stop,
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
