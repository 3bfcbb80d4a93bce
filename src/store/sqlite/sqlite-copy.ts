import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CopySource, CopyTarget } from '../copy-records.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { appendEntries, auditPages, jsonItems } from '../sql-audit.js'
import { addPage, beginCopy, countUpTo, dropMarks, pageSize, toPage } from '../sql-copy.js'
import { countRecords } from '../sql-state.js'
import type { StateKind } from '../state-file.js'
import { storedColumns } from '../stored-columns.js'
import { findMarkTable, markTable } from '../unfinished-copy.js'
import { checkHeader, damaged, isDamage } from './check-file.js'
import type { Connection } from './connection.js'
import { identify } from './file-identity.js'
import { insertFromJson } from './insert.js'
import { knownVersion } from './migrations.js'
import { openToRead, withReader } from './open-to-read.js'
import { openReopeningDatabase } from './reopening-database.js'
import { readSchema, refuseNewer, type SchemaVersion } from './schema-version.js'

const busyTimeoutMs = 5_000

/**
 * Opens a database to copy from; it may be in use, and is not changed.
 * @throws DatabaseRefusedError for a file that is not ours, or has another version than this program's
 */
export async function openSqliteSource(path: string): Promise<CopySource> {
  const file = await realPath(path)
  await checkHeader(file).catch((error) => {
    if (error instanceof DatabaseRefusedError) throw error
    throw new DatabaseRefusedError(file, `it cannot be read (${error.code})`, 'Choose another file.', error)
  })
  const connection = await openToRead(file, busyTimeoutMs)
  try {
    await connection.exec('BEGIN')
    requireVersion(file, await readSchema(connection))
    return {
      name: path,
      identity: identityOf(file),
      isUnfinished: await hasMarks(connection),
      counts: () => countRecords(connection),
      upTo: (kind, position) => countUpTo(connection, kind, position),
      async *pages(kind, position) {
        for (let after = position; ; ) {
          const [row] = await connection.all<PageRow>(pageAfter(kind), after).catch((error) => {
            throw sourceError(file, error)
          })
          if (!row || row.position === null) return
          yield toPage(JSON.parse(row.records), row.position)
          after = row.position
        }
      },
      auditPages: () => auditPages(connection),
      async hasChanged() {
        const before = await dataVersion(connection)
        await connection.exec('COMMIT')
        return (await dataVersion(connection)) !== before
      },
      close: connection.close,
    }
  } catch (error) {
    await connection.close()
    throw sourceError(file, error)
  }
}

const sourceError = (file: string, error: unknown): unknown =>
  isDamage(error) ? damaged(file, (error as Error).message, error) : error

/**
 * Opens a database to copy to; a missing file is created.
 * @throws DatabaseRefusedError for a file that is not ours, or has another version than this program's
 */
export async function openSqliteTarget(path: string): Promise<CopyTarget> {
  const file = await realPath(path)
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() && found.size > 0) {
    await checkHeader(file)
    requireVersion(file, await withReader(file, busyTimeoutMs, readSchema))
  }
  const db = await openReopeningDatabase(file, busyTimeoutMs)
  return {
    name: path,
    identity: identityOf(file),
    begin: (isRestart) =>
      db.write(async (connection) => beginCopy(connection, await hasMarks(connection), isRestart)),
    add: (kind, page, before) =>
      db.write((connection) => addPage(connection, kind, page, before, insertFromJson(kind, ''))),
    addAudit: (entries) => db.write((connection) => appendEntries(connection, jsonItems.sqlite, entries)),
    finish: (entry) =>
      db.write(async (connection) => {
        await connection.exec(dropMarks)
        await appendEntries(connection, jsonItems.sqlite, [entry])
      }),
    read: () => openSqliteSource(path),
    close: db.close,
  }
}

type PageRow = { records: string; position: string | null }

/** One row, since the driver takes longer for many: the stored columns of the records after a position. */
const pageAfter = (kind: StateKind): string =>
  `SELECT json_group_array(json_array(${storedColumns(kind).join(', ')}) ORDER BY position) AS records,
     CAST(max(position) AS text) AS position
   FROM (SELECT * FROM ${kind} WHERE position > CAST(? AS integer) ORDER BY position LIMIT ${pageSize})`

/** SQLite puts the log beside the file that a link leads to. */
const realPath = (path: string): Promise<string> => realpath(path).catch(() => resolve(path))

const identityOf = (file: string): string => `file ${identify(file)?.file}`

const dataVersion = async (connection: Connection) =>
  (await connection.all<{ data_version: number }>('PRAGMA data_version'))[0]?.data_version

const hasMarks = async (connection: Connection): Promise<boolean> =>
  (await connection.all(findMarkTable.sqlite, markTable)).length > 0

function requireVersion(file: string, { version, oldest }: SchemaVersion): void {
  refuseNewer(file, oldest)
  if (version === knownVersion) return
  throw new DatabaseRefusedError(
    file,
    `it has version ${version}, and a copy needs version ${knownVersion}`,
    version > knownVersion
      ? 'Use the program that made it, or a newer one.'
      : 'Migrate it with "database migrate"; it was not changed.',
  )
}
