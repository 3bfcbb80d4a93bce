import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CopySource, CopyTarget, ReadPages } from '../copy-records.js'
import { requireVersion } from '../database-version.js'
import { storedColumns } from '../sql/record-columns.js'
import { checkHeader, openChecked } from './check-file.js'
import { identify } from './file-identity.js'
import { withReader } from './open-to-read.js'
import { openReopeningDatabase } from './reopening-database.js'
import { knownVersion, readSchema } from './schema-version.js'

const busyTimeoutMs = 5_000

/**
 * Opens a database to copy from; it may be in use, and is not changed.
 * @throws DatabaseRefusedError for a file that is not ours, or has another version than this program's
 */
export async function openSource(path: string): Promise<CopySource> {
  const file = await realPath(path)
  const { schema, ...db } = await openChecked(file, busyTimeoutMs)
  try {
    requireVersion(file, schema, knownVersion)
    return { ...db, name: path, identity: identityOf(file), pages, mark: 'PRAGMA data_version' }
  } catch (error) {
    await db.close()
    throw error
  }
}

/**
 * Opens a database to copy to; a missing file is created.
 * @throws DatabaseRefusedError for a file that is not ours, or has another version than this program's
 */
export async function openTarget(path: string): Promise<CopyTarget> {
  const file = await realPath(path)
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() && found.size > 0) {
    await checkHeader(file)
    requireVersion(file, await withReader(file, busyTimeoutMs, readSchema), knownVersion)
  }
  const db = await openReopeningDatabase(file, busyTimeoutMs)
  return { ...db, name: path, identity: identityOf(file), pages }
}

/** One row a page, since the driver takes longer for many. */
const pages: ReadPages = async function* (connection, kind) {
  const sql = `SELECT json_group_array(json_array(${storedColumns(kind).join(', ')}) ORDER BY position) AS records,
      CAST(max(position) AS text) AS position
    FROM (SELECT * FROM ${kind} WHERE position > CAST($1 AS integer) ORDER BY position LIMIT 1000)`
  for (let after = '0'; ; ) {
    const [row] = await connection.all<{ records: string; position: string | null }>(sql, after)
    if (!row || row.position === null) return
    const records: unknown[] = JSON.parse(row.records)
    // Not the text of the database: each has other spaces and escapes.
    yield records.map((values) => JSON.stringify(values))
    after = row.position
  }
}

/** SQLite puts the log beside the file that a link leads to. */
const realPath = (path: string): Promise<string> => realpath(path).catch(() => resolve(path))

const identityOf = (file: string): string => `file ${identify(file)?.file}`
