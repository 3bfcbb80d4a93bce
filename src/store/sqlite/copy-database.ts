import { basename, dirname } from 'node:path'
import { DatabaseRefusedError } from '../database-refused.js'
import { countRecords } from '../sql/state.js'
import type { StateCounts } from '../state-file.js'
import { withFile } from '../with-file.js'
import { checkOpenFile, damaged } from './check-file.js'
import { withConnection } from './connection.js'
import { isDamage } from './find-damage.js'
import { withReader } from './open-to-read.js'
import { removeLeftovers, temporaryDatabase } from './temporary-database.js'

/**
 * Copies a database, which may be in use, to a temporary file beside its target, opens the copy, and checks it in full.
 * The copy is one file without a log, readable by its owner alone, and flushed to the disk. In any case it is removed at
 * the end, unless it has another name by then.
 * @param use gets the path of the copy, and how many records it has
 * @param prepare changes the copy before it is checked
 * @throws StoreUnavailableError, DatabaseRefusedError, or the system's error
 */
export async function withCopy<Result>(
  source: string,
  target: string,
  busyTimeoutMs: number,
  use: (file: string, records: StateCounts) => Promise<Result>,
  prepare: (file: string) => Promise<void> = async () => {},
): Promise<Result> {
  // Where a restore or a migration was killed, nobody would look for its copy, which has addresses and sessions.
  const name = basename(target).replace(/\.before-migration-.*/, '')
  const isOfSame = (other: string) => other === name || other.startsWith(`${name}.before-migration-`)
  await removeLeftovers(dirname(target), isOfSame).catch(() => {})
  const { file, remove } = temporaryDatabase(target)
  const copy = async (): Promise<StateCounts> => {
    await withFile(file, 'wx', async () => {})
    await withReader(source, busyTimeoutMs, (reader) => reader.backup(file))
    await prepare(file)
    const records = await withConnection(file, 'write', busyTimeoutMs, async (connection) => {
      // Without a log the file can be moved by itself, and read from a read-only disk.
      await connection.all('PRAGMA journal_mode = DELETE')
      return countRecords(connection)
    })
    await checkOpenFile(file, busyTimeoutMs, { checkFully: true })
    await withFile(file, 'r+', (handle) => handle.sync())
    return records
  }
  try {
    const records = await copy().catch((error) => {
      throw isDiskFull(error) ? diskFull(file, error) : blameSource(source, error)
    })
    return await use(file, records)
  } finally {
    remove()
  }
}

/** Only the copy is written, so that it is its disk that is full. */
const isDiskFull = (error: unknown): boolean =>
  ((error as Error).cause as { code?: string } | undefined)?.code === 'SQLITE_FULL'

const diskFull = (file: string, cause: unknown) =>
  Object.assign(new Error(`ENOSPC: no space left on the disk of ${dirname(file)}`, { cause }), {
    code: 'ENOSPC',
  })

/** Any other fault of the copy is a fault of its source. */
function blameSource(source: string, error: unknown): unknown {
  if (isDamage(error)) return damaged(source, (error as Error).message, error)
  if (!(error instanceof DatabaseRefusedError)) return error
  return new DatabaseRefusedError(source, error.reason, error.hint, error)
}
