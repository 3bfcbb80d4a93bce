import { dirname } from 'node:path'
import { DatabaseRefusedError } from '../database-refused.js'
import { countRecords } from '../sql/state.js'
import type { StateCounts } from '../state-file.js'
import { withFile } from '../with-file.js'
import { checkOpenFile, damaged, isDamage } from './check-file.js'
import { withConnection } from './connection.js'
import { withReader } from './open-to-read.js'
import { temporaryDatabase } from './temporary-database.js'

/** A complete copy of a database under a temporary name. */
export type Copy = { file: string; records: StateCounts; remove(): void }

/**
 * Copies a database, which may be in use, to a temporary file beside its target, opens the copy, and checks it in full.
 * The copy is one file without a log, readable by its owner alone, and flushed to the disk.
 * @param prepare changes the copy before it is checked
 * @throws StoreUnavailableError, DatabaseRefusedError, or the system's error; nothing is left behind then
 */
export async function copyDatabase(
  source: string,
  target: string,
  busyTimeoutMs: number,
  prepare: (copy: string) => Promise<void> = async () => {},
): Promise<Copy> {
  const { file, remove } = temporaryDatabase(target)
  try {
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
    return { file, records, remove }
  } catch (error) {
    remove()
    throw isDiskFull(error) ? diskFull(file, error) : blameSource(source, error)
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
