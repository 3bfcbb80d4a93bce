import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { access, link, rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DatabaseRefusedError } from '../database-refused.js'
import { endBySignal, endingSignals } from '../end-by-signal.js'
import { countRecords } from '../sql/state.js'
import type { StateCounts } from '../state-file.js'
import { flushFolder, withFile } from '../with-file.js'
import { checkHeader, checkOpenFile, damaged } from './check-file.js'
import { withReader } from './connection.js'
import { isDamage } from './find-damage.js'

/**
 * Copies a database to a new file, also while it is written to: the copy is a committed state. It gets its name after it was
 * opened, fully checked, and flushed to the disk.
 * @returns the number of records in the copy
 * @throws StoreUnavailableError, DatabaseRefusedError, or the system's error, such as EEXIST; no file is left then
 */
export async function backUp(file: string, target: string, busyTimeoutMs = 5_000): Promise<StateCounts> {
  await checkHeader(file, busyTimeoutMs)
  return withCopy(file, target, busyTimeoutMs, async (copy, records) => {
    await nameNew(copy, target)
    await flushFolder(dirname(target))
    return records
  })
}

/** Renames a file, and fails if the new name exists: unlike rename(), link() replaces nothing. */
export async function nameNew(file: string, target: string): Promise<void> {
  await link(file, target).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error
    // The file system has no hard links. Between the two calls another process could take the name.
    await access(target).then(
      () => Promise.reject(Object.assign(new Error(`EEXIST: ${target} exists`), { code: 'EEXIST' })),
      () => rename(file, target),
    )
  })
}

/**
 * Copies a database, which may be in use, to a temporary file beside its target, opens the copy, and checks it fully. The
 * copy has no log, is readable by its owner alone, and is flushed to the disk. It is removed at the end, also by a signal,
 * unless it was renamed: it contains addresses and sessions.
 * @param use gets the path of the copy, and the number of its records
 * @param prepare changes the copy before the check
 * @throws StoreUnavailableError, DatabaseRefusedError, or the system's error
 */
export async function withCopy<Result>(
  source: string,
  target: string,
  busyTimeoutMs: number,
  use: (file: string, records: StateCounts) => Promise<Result>,
  prepare: (file: string) => Promise<void> = async () => {},
): Promise<Result> {
  const file = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`)
  const remove = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${suffix}`, { force: true })
    for (const signal of signals) process.off(signal, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals) => {
    // Another listener ends the process in an orderly way.
    if (process.listenerCount(signal) > 1) return
    remove()
    endBySignal(signal)
  }
  const copy = async (): Promise<StateCounts> => {
    await withFile(file, 'wx', (handle) => handle.chmod(0o600))
    await withReader(source, busyTimeoutMs, async (reader) => {
      await reader.exec('PRAGMA query_only = OFF')
      // Writers continue meanwhile. Deleted content is not copied.
      await reader.run('VACUUM INTO $1', file)
    })
    await prepare(file)
    const records = await withReader(file, busyTimeoutMs, countRecords)
    await checkOpenFile(file, busyTimeoutMs, { checkFully: true })
    await withFile(file, 'r+', (handle) => handle.sync())
    return records
  }
  const signals = endingSignals()
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await use(file, await copy().catch((error) => Promise.reject(explain(source, file, error))))
  } finally {
    remove()
  }
}

/** Only the copy is written, so a full disk is that of the copy. Other faults are faults of the source. */
function explain(source: string, copy: string, error: unknown): unknown {
  if (((error as Error).cause as { code?: string } | undefined)?.code === 'SQLITE_FULL') {
    const message = `ENOSPC: no space left on the disk of ${dirname(copy)}`
    return Object.assign(new Error(message, { cause: error }), { code: 'ENOSPC' })
  }
  if (isDamage(error)) return damaged(source, (error as Error).message, error)
  if (!(error instanceof DatabaseRefusedError)) return error
  return new DatabaseRefusedError(source, error.reason, error.hint, error)
}
