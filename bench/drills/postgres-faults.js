// Faults of one PostgreSQL.
import { chmodSync, chownSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fill, mountDisk, noMounts } from './small-disk.js'
import { faultDrill } from './under-load.js'

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
    // `onEnd` runs the last function first: the server must end before the disk is unmounted.
    onEnd(() => postgres.stop())
    const filler = join(disk, 'filler')
    return {
      inject: () => fill(filler, 64 * 1024 * 1024),
      async duringFault(load) {
        // Writes succeed at first: the pages of the tables have free space.
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
