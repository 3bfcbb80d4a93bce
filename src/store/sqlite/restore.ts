import { chmod, chown, link, mkdir, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type StateCounts, zeroCounts } from '../state-file.js'
import { StoreUnavailableError } from '../store.js'
import { checkHeader } from './check-file.js'
import { type Connection, openConnection } from './connection.js'
import { openConnectionPool } from './connection-pool.js'
import { copyDatabase, flush } from './copy-database.js'
import { countRecords } from './count-records.js'
import { DatabaseRefusedError } from './database-errors.js'
import { applicationId, notOurs, readMarks } from './migrations.js'

/** A restore that is ready: nothing has changed so far but that nobody else can open the database. */
export type Restore = {
  /** What the database has; undefined where there is none, or it cannot be read. */
  before: StateCounts | undefined
  after: StateCounts
  /** Puts the copy in the database's place, and gives the path at which the old file is kept. */
  commit(): Promise<string | undefined>
  /** Lets go of everything; also to be called after `commit`. */
  end(): Promise<void>
}

/** Another process has the database open. */
export class DatabaseInUseError extends Error {
  override name = 'DatabaseInUseError'
}

/**
 * Prepares a copy of a backup, brought to the version that this program knows, to take a database's place.
 * @throws DatabaseInUseError; DatabaseRefusedError where the backup is not a database of ours, newer or damaged
 */
export async function prepareRestore(file: string, backup: string, busyTimeoutMs = 1_000): Promise<Restore> {
  await checkHeader(backup)
  await mkdir(dirname(file), { recursive: true })
  const old = await lockExclusively(file, busyTimeoutMs)
  try {
    const copy = await copyDatabase(backup, file, busyTimeoutMs, async (copied) => {
      const db = await openConnectionPool(copied, busyTimeoutMs, 'write')
      await db.close()
    })
    return {
      before: old.records,
      after: copy.records,
      async commit() {
        const kept = old.isThere ? await keep(file) : undefined
        if (kept !== undefined) await copyOwnership(copy.file, kept)
        await rename(copy.file, file)
        await flush(dirname(file), 'r').catch(() => {})
        return kept
      },
      async end() {
        await copy.remove()
        await old.release()
      },
    }
  } catch (error) {
    await old.release()
    throw error
  }
}

type ExclusiveLock = { isThere: boolean; records?: StateCounts; release(): Promise<void> }

/**
 * Makes sure that no other process has a database open, and that none opens it until it is released. SQLite
 * leaves the log only when nobody else is connected, and the system takes its locks from a process that died.
 */
async function lockExclusively(file: string, busyTimeoutMs: number): Promise<ExclusiveLock> {
  const nothing = async () => {}
  const isThere = await stat(file).then(
    () => true,
    () => false,
  )
  if (!isThere) return { isThere, release: nothing }

  let handle: Connection | undefined
  const release = async () => handle?.close()
  try {
    handle = await openConnection(file, 'write', busyTimeoutMs)
    const { application, tables } = await readMarks(handle)
    if (tables > 0 && application !== applicationId) throw notOurs(file)
    await handle.all('PRAGMA journal_mode = DELETE')
    await handle.exec('BEGIN EXCLUSIVE')
    return { isThere, records: tables > 0 ? await countRecords(handle) : zeroCounts(), release }
  } catch (error) {
    await release()
    if (error instanceof StoreUnavailableError) {
      throw new DatabaseInUseError(`Another process has the database ${file} open`, { cause: error })
    }
    if (error instanceof DatabaseRefusedError) throw error
    // Damaged beyond reading is no reason to keep it: it is why somebody restores.
    return { isThere, release: nothing }
  }
}

/** Whoever could use the old file can use the new one; giving a file away needs rights that not everybody has. */
async function copyOwnership(file: string, model: string): Promise<void> {
  const { mode, uid, gid } = await stat(model)
  await chown(file, uid, gid).catch(() => {})
  await chmod(file, mode & 0o777)
}

/** Gives the old file a second name, and one of its own to a log that was left: it must not meet the new file. */
async function keep(file: string): Promise<string> {
  const kept = `${file}.before-restore-${new Date().toISOString().replace(/[-:.]/g, '')}`
  for (const end of ['-wal', '-shm']) await rename(`${file}${end}`, `${kept}${end}`).catch(() => {})
  // Where a file cannot have two names there is none for a moment.
  await link(file, kept).catch(() => rename(file, kept))
  return kept
}
