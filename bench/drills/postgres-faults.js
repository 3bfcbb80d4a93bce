// Faults of one PostgreSQL, and of the network to it.
import { chmodSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNetwork, throughPort } from './network.js'
import { fill, mountDisk, noMounts } from './small-disk.js'
import { faultDrill } from './under-load.js'

const servedConnections = "FROM pg_stat_activity WHERE application_name = 'dashboard-api'"
const endConnections = `SELECT pg_terminate_backend(pid) ${servedConnections}`

/** Opens a connection of another program. */
async function connectOther({ postgres, onEnd }, name) {
  const other = await postgres.connect(name)
  onEnd(() => other.end())
  return other
}

export const postgresKilled = faultDrill({
  name: 'postgres-killed',
  fault: 'PostgreSQL killed (SIGKILL, all of its processes) and started again',
  rounds: 50,
  quickRounds: 2,
  setUp: ({ postgres }) => ({ inject: postgres.kill, heal: postgres.start }),
  controls: [
    {
      fault: '`synchronous_commit=off`',
      rounds: 3,
      settings: { synchronous_commit: 'off', wal_writer_delay: '10s' },
      caught: ['lost'],
    },
  ],
})

/** Does something 20 times in a second. */
async function repeatedly(run) {
  for (let i = 0; i < 20; i += 1) {
    await run()
    await sleep(50)
  }
}

export const connectionsEnded = faultDrill({
  name: 'connections-ended',
  fault: 'Every connection ended by `pg_terminate_backend`, 20 times a second for a second',
  rounds: 30,
  quickRounds: 2,
  async setUp(setting) {
    const other = await connectOther(setting)
    return { inject: () => repeatedly(() => other.query(endConnections)), holdMs: 0 }
  },
})

const networkDrill = ({ make, holdMs, ...drill }) =>
  faultDrill({
    ...drill,
    async setUp({ postgres, onEnd }) {
      const network = await startNetwork(postgres.port)
      onEnd(network.close)
      const node = { database: throughPort(postgres.url, network.port) }
      return { node, inject: () => make(network), heal: network.pass, holdMs }
    },
  })

export const networkStalled = networkDrill({
  name: 'network-stalled',
  fault: 'The network to PostgreSQL stalls for 4 s: nothing arrives, nothing is refused',
  rounds: 10,
  quickRounds: 1,
  make: (network) => network.stall(),
  holdMs: 4_000,
})

export const networkReset = networkDrill({
  name: 'network-reset',
  fault: 'The network resets every connection to PostgreSQL, 20 times a second for a second',
  rounds: 30,
  quickRounds: 2,
  make: (network) => repeatedly(network.reset),
  holdMs: 0,
})

export const networkDelayed = networkDrill({
  name: 'network-delayed',
  fault:
    'PostgreSQL answers after 3 s, for 8 s, and what is under way then arrives up to 1.5 s later; the time limit is 2 s',
  rounds: 6,
  quickRounds: 1,
  // A second after the last delayed byte.
  limits: { successMs: 2_500 },
  make: (network) => network.delay(1_500),
  holdMs: 8_000,
})

export const poolEmpty = faultDrill({
  name: 'pool-empty',
  fault: 'Every connection of the pools waits for a lock of another program, for 5 s',
  rounds: 10,
  quickRounds: 1,
  async setUp(setting) {
    const other = await connectOther(setting)
    const all = await other.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    const tables = all.rows.map(({ tablename }) => tablename)
    const node = { env: { DASHBOARD_API_DATABASE_POOL_SIZE: '2' } }
    const inject = () => beginWith(other, `LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`)
    return { node, inject, heal: () => other.query('COMMIT'), holdMs: 5_000 }
  },
})

/** Begins a transaction. PostgreSQL may choose it, too, to end a deadlock with the writes under way. */
export async function beginWith(client, sql) {
  for (;;) {
    try {
      return await client.query(`BEGIN; ${sql}`)
    } catch (error) {
      if (error.code !== '40P01') throw error
      await client.query('ROLLBACK')
    }
  }
}

export const connectionsExhausted = faultDrill({
  name: 'connections-exhausted',
  fault: 'Other programs take every connection of PostgreSQL (`max_connections`), for 3 s',
  rounds: 10,
  quickRounds: 1,
  options: { settings: { max_connections: 30 } },
  async setUp(setting) {
    const { postgres, onEnd } = setting
    const other = await connectOther(setting)
    let taken = []
    const release = async () => {
      await Promise.all(taken.map((client) => client.end()))
      taken = []
    }
    onEnd(release)
    const takeAll = async () => {
      for (;;) {
        try {
          taken.push(await postgres.connect())
        } catch {
          return
        }
      }
    }
    const inject = async () => {
      // The service takes some of those that are ended again; then those are ended.
      do {
        await other.query(endConnections)
        await takeAll()
      } while ((await other.query(`SELECT ${servedConnections}`)).rowCount > 0)
    }
    return { inject, heal: release, holdMs: 3_000 }
  },
})

const password = 'another-password-for-drills'
const endAll = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'service'"
/** What takes rights from the role, and what gives them back. */
const refusals = [
  ['REVOKE ALL ON projects FROM service', 'GRANT ALL ON projects TO service'],
  ['REVOKE ALL ON sessions FROM service', 'GRANT ALL ON sessions TO service'],
  [`ALTER ROLE service NOLOGIN; ${endAll}`, 'ALTER ROLE service LOGIN'],
  [`ALTER ROLE service PASSWORD 'changed'; ${endAll}`, `ALTER ROLE service PASSWORD '${password}'`],
  [
    `ALTER DATABASE dashboard ALLOW_CONNECTIONS false; ${endAll}`,
    'ALTER DATABASE dashboard ALLOW_CONNECTIONS true',
  ],
]

export const roleRights = faultDrill({
  name: 'role-rights',
  fault: 'The role loses a right for 2 s: on a table, to log in, its password, to connect to the database',
  rounds: refusals.length * 2,
  quickRounds: refusals.length,
  async setUp(setting) {
    const { postgres } = setting
    const other = await connectOther(setting, 'postgres')
    await postgres.query(
      `CREATE ROLE service LOGIN PASSWORD '${password}'; GRANT ALL ON ALL TABLES IN SCHEMA public TO service`,
    )
    const address = Object.assign(new URL(postgres.url), { username: 'service', password })
    const run = (round, i) => {
      const sql = refusals[round % refusals.length][i]
      return /GRANT|REVOKE/.test(sql) ? postgres.query(sql) : other.query(sql)
    }
    return {
      node: { database: address.href },
      inject: (round) => run(round, 0),
      heal: (round) => run(round, 1),
      holdMs: 2_000,
    }
  },
})

export const diskFull = faultDrill({
  name: 'disk-full',
  fault:
    'The disk with the tables is full for 3 s (a tablespace on a disk of 32 MB): reads go on, writes are 503',
  rounds: 10,
  quickRounds: 1,
  unavailable: noMounts,
  async setUp({ folder, postgres, onEnd }) {
    const disk = join(folder, 'small-disk')
    onEnd(mountDisk(disk, '32m'))
    const space = join(disk, 'tables')
    mkdirSync(space)
    const { uid, gid } = statSync(postgres.folder)
    chownSync(space, uid, gid)
    chmodSync(disk, 0o755)
    await postgres.query(`CREATE TABLESPACE small LOCATION '${space}'`)
    await postgres.query('ALTER TABLE projects SET TABLESPACE small')
    // The server is ended before the disk is unmounted.
    onEnd(() => postgres.stop())
    const filler = join(disk, 'filler')
    return {
      inject: () => fill(filler, 64 * 1024 * 1024),
      async duringFault(load) {
        // Free space in the pages of the tables is used first.
        const isRefused = ({ outcome }) => outcome === 'unavailable'
        const refused = await load.firstOf(['create'], isRefused, 15_000)
        const [read] = (await load.firstOf(['read'], () => true, 5_000)) ?? []
        return [
          ...(refused ? [] : ['no write was refused']),
          ...(read?.outcome === 'ok' ? [] : ['reads did not go on']),
        ]
      },
      heal: () => rmSync(filler),
    }
  },
})
