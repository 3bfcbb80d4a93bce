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

export const networkStalled = faultDrill({
  name: 'network-stalled',
  fault: 'The network to PostgreSQL stalls for 4 s: nothing arrives, nothing is refused',
  rounds: 10,
  quickRounds: 1,
  async setUp({ postgres, onEnd }) {
    const network = await startNetwork(postgres.port)
    onEnd(network.close)
    const node = { database: throughPort(postgres.url, network.port) }
    return { node, inject: network.stall, heal: network.pass, holdMs: 4_000 }
  },
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
