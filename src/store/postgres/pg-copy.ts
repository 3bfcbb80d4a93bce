import type { CopySource, CopyTarget } from '../copy-records.js'
import type { PostgresAddress } from '../database-address.js'
import { DatabaseRefusedError } from '../database-refused.js'
import { appendEntries, auditPages, jsonItems } from '../sql-audit.js'
import { addPage, beginCopy, countUpTo, dropMarks, pageSize, type StoredValues, toPage } from '../sql-copy.js'
import { countRecords } from '../sql-state.js'
import { type StateKind, stateKinds } from '../state-file.js'
import { storedColumns } from '../stored-columns.js'
import { findMarkTable, markTable } from '../unfinished-copy.js'
import type { Connection } from './pg-connection.js'
import { insertFromJson } from './pg-insert.js'
import { migratePostgresDatabase } from './pg-maintain.js'
import { readState } from './pg-migrate.js'
import { knownPostgresVersion } from './pg-migrations.js'
import { transaction } from './pg-pool.js'
import { openConnection } from './pg-single-connection.js'
import type { PostgresOptions } from './postgres-store.js'

/**
 * Opens a database to copy from; it may be in use or a standby, and is not changed.
 * @throws DatabaseRefusedError for a database that is not ours, or has another version than this program's
 */
export const openPostgresSource = (address: PostgresAddress, options: PostgresOptions): Promise<CopySource> =>
  openConnection(address, options, async (connection) => {
    await connection.exec('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await requireVersion(address.name, connection)
    return {
      name: address.name,
      identity: await identityOf(connection),
      isUnfinished: await hasMarks(connection),
      counts: () => countRecords(connection),
      upTo: (kind, position) => countUpTo(connection, kind, position),
      async *pages(kind, position) {
        // No index has the positions: a cursor sorts once.
        const cursor = `copied_${kind}`
        await connection.run(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${recordsAfter(kind)}`, position)
        try {
          for (;;) {
            const rows = await connection.all<Row>(`FETCH ${pageSize} FROM ${cursor}`)
            const last = rows.at(-1)
            if (!last) return
            yield toPage(
              rows.map(({ record }) => record),
              last.position,
            )
          }
        } finally {
          if (connection.isUsable()) await connection.exec(`CLOSE ${cursor}`)
        }
      },
      auditPages: () => auditPages(connection),
      async hasChanged() {
        const before = await fingerprint(connection)
        await connection.exec('COMMIT')
        return (await fingerprint(connection)) !== before
      },
      close: connection.close,
    }
  })

/**
 * Opens a database to copy to; an empty one gets its tables.
 * @throws DatabaseRefusedError for a database that is not ours, or has another version than this program's
 */
export const openPostgresTarget = (address: PostgresAddress, options: PostgresOptions): Promise<CopyTarget> =>
  openConnection(address, options, async (connection) => {
    const { version } = await readState(address.name, connection)
    // On another connection: this one may go on finding no tables where another process makes them meanwhile.
    if (version === undefined) await migratePostgresDatabase(address, options)
    else await requireVersion(address.name, connection)
    return {
      name: address.name,
      identity: await identityOf(connection),
      begin: (isRestart) =>
        transaction(connection, async () => {
          await connection.exec(`SELECT pg_advisory_xact_lock(${copyLock})`)
          const isThere = await hasMarks(connection)
          // What a killed process has begun to write ends first.
          if (isThere) await connection.exec(`LOCK TABLE ${markTable}`)
          return beginCopy(connection, isThere, isRestart)
        }),
      add: (kind, page, before) =>
        transaction(connection, () => addPage(connection, kind, page, before, insertFromJson(kind, ''))),
      addAudit: (entries) => appendEntries(connection, jsonItems.postgres, entries),
      finish: (entry) =>
        transaction(connection, async () => {
          await connection.exec(dropMarks)
          await appendEntries(connection, jsonItems.postgres, [entry])
        }),
      read: () => openPostgresSource(address, options),
      close: connection.close,
    }
  })

type Row = { record: StoredValues; position: string }

/** The stored columns of the records after a position, in insertion order. The driver parses the JSON. */
const recordsAfter = (kind: StateKind): string =>
  `SELECT json_build_array(${storedColumns(kind).join(', ')}) AS record, position::text
   FROM ${kind} WHERE position > $1::bigint ORDER BY ${kind}.position`

/** A lock of this program's own. */
const copyLock = 0x44415051

/** The server, as long as it runs, and the database's tables. */
async function identityOf(connection: Connection): Promise<string> {
  const [row] = await connection.all<{ identity: string }>(
    `SELECT concat_ws('/', 'server', extract(epoch FROM pg_postmaster_start_time()),
       (SELECT oid FROM pg_database WHERE datname = current_database()), 'projects'::regclass::oid) AS identity`,
  )
  return row?.identity ?? ''
}

/** Another text after each commit that changed a record: the transactions that wrote the rows, in no order. */
async function fingerprint(connection: Connection): Promise<string> {
  const rows = stateKinds.map((kind) => `SELECT xmin FROM ${kind}`).join(' UNION ALL ')
  const [row] = await connection.all<{ fingerprint: string }>(
    `SELECT concat(count(*), '/', sum(hashtextextended(xmin::text, 0)::numeric)) AS fingerprint FROM (${rows}) AS written`,
  )
  return row?.fingerprint ?? ''
}

const hasMarks = async (connection: Connection): Promise<boolean> =>
  (await connection.all(findMarkTable.postgres, markTable)).length > 0

async function requireVersion(name: string, connection: Connection): Promise<void> {
  const { version } = await readState(name, connection)
  if (version === knownPostgresVersion) return
  const hint =
    (version ?? 0) > knownPostgresVersion
      ? 'Use the program that made it, or a newer one.'
      : 'Migrate it with "database migrate"; it was not changed.'
  const reason =
    version === undefined
      ? 'it has no tables of this program'
      : `it has version ${version}, and a copy needs version ${knownPostgresVersion}`
  throw new DatabaseRefusedError(name, reason, hint)
}
