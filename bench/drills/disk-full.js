import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figuresOf, makeFaults, withSetting } from './setting.js'

const mount = (folder, size) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' })
const unmount = (folder) => execFileSync('umount', ['-l', folder], { stdio: 'ignore' })

/** Why no disk can be mounted here; undefined where it is possible. */
function noMounts() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'only root may mount a disk, on Linux'
  const folder = mkdtempSync(join(tmpdir(), 'try-mount-'))
  try {
    mount(folder, '64k')
    unmount(folder)
    return undefined
  } catch {
    return 'mounting is not allowed here'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const diskFull = {
  name: 'disk-full',
  fault:
    'The disk with the tables is full for 3 s (a tablespace on a disk of 32 MB): reads go on, writes are 503',
  rounds: 10,
  quickRounds: 1,
  limits: { successMs: 1_000 },
  unavailable: noMounts,
  run: ({ rounds }) =>
    withSetting(async ({ folder, postgres, onEnd, startNode, startLoad }) => {
      const disk = join(folder, 'small-disk')
      mkdirSync(disk)
      mount(disk, '32m')
      onEnd(() => unmount(disk))
      const space = join(disk, 'tables')
      mkdirSync(space)
      const { uid, gid } = statSync(postgres.folder)
      chownSync(space, uid, gid)
      chmodSync(disk, 0o755)
      await postgres.query(`CREATE TABLESPACE small LOCATION '${space}'`)
      await postgres.query('ALTER TABLE projects SET TABLESPACE small')
      // The server is ended before the disk is unmounted.
      onEnd(() => postgres.stop())
      const load = startLoad([await startNode(), await startNode()])
      const filler = join(disk, 'filler')
      const made = await makeFaults(load, rounds, {
        inject() {
          try {
            writeFileSync(filler, Buffer.alloc(64 * 1024 * 1024))
          } catch (error) {
            if (error.code !== 'ENOSPC') throw error
          }
        },
        async duringFault() {
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
      })
      return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
    }),
}
