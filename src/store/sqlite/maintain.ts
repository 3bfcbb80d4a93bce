import { stat } from 'node:fs/promises'
import type { StateCounts } from '../state-file.js'
import { checkExisting, checkHeader, isDamage, modeToRead } from './check-file.js'
import { type Connection, type Mode, openConnection } from './connection.js'
import { openConnectionPool } from './connection-pool.js'
import { countRecords } from './count-records.js'
import { DatabaseRefusedError } from './database-errors.js'
import { knownVersion, readMarks } from './migrations.js'

const busyTimeoutMs = 5_000

async function withHandle<T>(file: string, mode: Mode, act: (handle: Connection) => Promise<T>): Promise<T> {
  const handle = await openConnection(file, mode, busyTimeoutMs)
  try {
    return await act(handle)
  } finally {
    await handle.close()
  }
}

/** One thing that was looked at. */
export type Check = { check: 'file' | 'version' | 'integrity' | 'references'; ok: boolean; found: string }
export type CheckReport = { ok: boolean; checks: Check[]; records?: StateCounts }

/** Looks at a database, which may be in use, and leaves it as it is. What fails ends the list. */
export async function checkDatabase(file: string): Promise<CheckReport> {
  const checks: Check[] = []
  const add = (check: Check['check'], ok: boolean, found: string) => {
    checks.push({ check, ok, found })
    return ok
  }
  const report = (records?: StateCounts) => ({ ok: checks.every(({ ok }) => ok), checks, records })

  try {
    await checkHeader(file)
    add('file', true, 'a database of this program')
  } catch (error) {
    if (!(error instanceof DatabaseRefusedError)) throw error
    add('file', false, error.why)
    return report()
  }
  return withHandle(file, await modeToRead(file), async (handle) => {
    await handle.exec('PRAGMA query_only = ON')
    try {
      const { version } = await readMarks(handle)
      if (!add('version', version <= knownVersion, versionFound(version))) return report()
      const integrity = await handle.all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
      const faults = integrity.map((row) => row.integrity_check).filter((line) => line !== 'ok')
      if (!add('integrity', faults.length === 0, faults.join('; ') || 'every page and index')) return report()
      const dangling = await handle.all<{ table: string }>('PRAGMA foreign_key_check')
      const found = dangling.length
        ? `${dangling.length} rows refer to nothing`
        : 'every row that is referred to'
      add('references', dangling.length === 0, found)
      return report(await countRecords(handle))
    } catch (error) {
      if (!isDamage(error)) throw error
      add('integrity', false, (error as Error).message)
      return report()
    }
  })
}

const versionFound = (version: number): string =>
  version === knownVersion
    ? `${version}, the newest`
    : `${version}; this program knows ${knownVersion}${version < knownVersion ? ', and makes it that when it next opens it' : ''}`

/**
 * Brings a database to the version that this program knows.
 * @throws DatabaseRefusedError for a file that is not ours, newer than we know, or damaged
 */
export async function migrateDatabase(file: string): Promise<{ from: number; to: number }> {
  await checkExisting(file, busyTimeoutMs)
  const from = await withHandle(
    file,
    await modeToRead(file),
    async (handle) => (await readMarks(handle)).version,
  )
  const db = await openConnectionPool(file, busyTimeoutMs, 'write')
  await db.close()
  return { from, to: knownVersion }
}

/** Gives back the room of what was removed; lengths in bytes. Writers wait meanwhile, readers do not. */
export async function vacuumDatabase(file: string): Promise<{ before: number; after: number }> {
  await checkExisting(file, busyTimeoutMs)
  const before = (await stat(file)).size
  await withHandle(file, 'write', async (handle) => {
    await handle.exec('VACUUM')
    await handle.all('PRAGMA wal_checkpoint(TRUNCATE)')
  })
  return { before, after: (await stat(file)).size }
}
