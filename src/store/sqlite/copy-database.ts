import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { StateCounts } from '../state-file.js'
import { checkExisting, damaged, isDamage, modeToRead } from './check-file.js'
import { openConnection } from './connection.js'
import { countRecords } from './count-records.js'
import { DatabaseRefusedError } from './database-errors.js'

/** A whole copy of a database that has not got its name yet. */
export type Copy = { file: string; records: StateCounts; remove(): Promise<void> }

/**
 * Copies a database, which may be in use, to a new file beside the place it is for, and checks the copy by
 * opening it. The copy is one plain file without a log, readable by its owner alone, and flushed to the disk.
 * @param prepare what is done to the copy before it is checked
 * @throws StoreUnavailableError, DatabaseRefusedError, or the system's error; nothing is left behind then
 */
export async function copyDatabase(
  source: string,
  place: string,
  busyTimeoutMs: number,
  prepare: (copy: string) => Promise<void> = async () => {},
): Promise<Copy> {
  const file = join(dirname(place), `.${basename(place)}.${randomUUID()}.tmp`)
  const remove = async () => {
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(`${file}${end}`, { force: true })
  }
  await (await open(file, 'wx', 0o600)).close()
  try {
    const reader = await openConnection(source, await modeToRead(source), busyTimeoutMs)
    try {
      await reader.backup(file)
    } finally {
      await reader.close()
    }
    await prepare(file)
    const records = await settle(file, busyTimeoutMs)
    await checkExisting(file, busyTimeoutMs)
    await flush(file)
    return { file, records, remove }
  } catch (error) {
    await remove()
    throw ofSource(source, file, error)
  }
}

/** What is wrong with the copy was wrong with what was copied. */
function ofSource(source: string, copy: string, error: unknown): unknown {
  if (isDamage(error)) return damaged(source, (error as Error).message, error)
  if (!(error instanceof DatabaseRefusedError) || error.file !== copy) return error
  return new DatabaseRefusedError(source, error.why, error.next, error)
}

/** Leaves nothing of the copy in a log: a file on its own can be moved, and read from a disk that is read-only. */
async function settle(file: string, busyTimeoutMs: number): Promise<StateCounts> {
  const handle = await openConnection(file, 'write', busyTimeoutMs)
  try {
    await handle.all('PRAGMA journal_mode = DELETE')
    return await countRecords(handle)
  } finally {
    await handle.close()
  }
}

/** Flushes a file to the disk; for a folder, opened with `r`, the names in it, which not every platform can. */
export async function flush(path: string, flags: 'r' | 'r+' = 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
