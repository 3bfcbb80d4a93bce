import { createHash } from 'node:crypto'
import { auditEntry } from './audit-entry.js'
import type { AuditEntry } from './audit-log.js'
import { DatabaseRefusedError } from './database-refused.js'
import { requireVersion } from './database-version.js'
import { processOrigin } from './process-origin.js'
import { appendMissingEntries, auditPages } from './sql/audit.js'
import type { ReadDatabase, SqlConnection, SqlDatabase } from './sql/sql-database.js'
import { countRecords, insertStatement } from './sql/state.js'
import { type StateKind, stateKinds } from './state-file.js'
import { StoreUnavailableError } from './store.js'

/** The number of copied records of a kind, and the SHA-256 of their lines of JSON, in insertion order. */
export type KindReport = { kind: StateKind; records: number; digest: string }

export type CopyReport = {
  kinds: KindReport[]
  /** The number of copied entries of the audit log. */
  audit: number
  /** Whether the source changed after the copy started. */
  sourceChanged: boolean
}

/** Called after each page. If it throws, the copy stops and the target stays empty. */
export type CopyProgress = (step: 'copy' | 'compare', done: number, total: number) => void

/**
 * Copies all records and the audit log to an empty database, in one transaction, and compares both before the commit.
 * @throws DatabaseRefusedError if the target has records or rejects a record, or a database has another version than this
 *   program; StoreUnavailableError if a database cannot be used for now
 */
export async function copyRecords(
  source: ReadDatabase,
  target: SqlDatabase,
  onProgress: CopyProgress,
): Promise<CopyReport> {
  const { mark } = source.dialect
  const copied = await source.snapshot(async (reading) => {
    await checkVersion(source, reading)
    const report = await target.transaction((writing) =>
      copyAll(source, reading, target, writing, onProgress),
    )
    return { report, mark: JSON.stringify(await reading.all(mark)) }
  })
  const sourceChanged = JSON.stringify(await source.read(mark)) !== copied.mark
  return { ...copied.report, sourceChanged }
}

const checkVersion = async ({ name, dialect }: ReadDatabase, connection: SqlConnection): Promise<void> =>
  requireVersion(name, await dialect.readSchema(connection, name), dialect.known)

/**
 * @param reading a transaction of the source
 * @param writing a transaction of the target
 */
async function copyAll(
  source: ReadDatabase,
  reading: SqlConnection,
  target: SqlDatabase,
  writing: SqlConnection,
  onProgress: CopyProgress,
): Promise<Omit<CopyReport, 'sourceChanged'>> {
  const { dialect } = target
  if (dialect.lockGlobalScope) await writing.all(dialect.lockGlobalScope)
  await checkVersion(target, writing)
  await requireEmpty(target.name, writing)
  const counts = await countRecords(reading)
  const total = stateKinds.reduce((sum, kind) => sum + counts[kind], 0)

  let copied = 0
  const kinds: KindReport[] = []
  for (const kind of stateKinds) {
    const sql = insertStatement(dialect, kind)
    const add = async (page: string[]) => {
      await writing.run(sql, `[${page.join(',')}]`).catch((error) => {
        throw error instanceof StoreUnavailableError ? error : refused(target, kind, error)
      })
      copied += page.length
      onProgress('copy', copied, total)
    }
    kinds.push({ kind, ...(await digest(source.dialect.pages(reading, kind), add)) })
  }
  let compared = 0
  for (const { kind, ...expected } of kinds) {
    const found = await digest(dialect.pages(writing, kind), async (page) => {
      compared += page.length
      onProgress('compare', compared, total)
    })
    if (found.digest !== expected.digest) throw refused(target, kind)
  }

  // The audit log is copied too, with an entry about the copy.
  let audit = 0
  const append = (entries: AuditEntry[]) => appendMissingEntries(writing, dialect, entries)
  for await (const page of auditPages(reading)) {
    await append(page)
    audit += page.length
  }
  const event = { action: 'database.copy', target: source.name, details: { ...counts, audit } } as const
  await append([auditEntry(processOrigin(), event)])
  return { kinds, audit }
}

const refused = ({ name }: SqlDatabase, kind: StateKind, cause?: Error) => {
  const reason = `it did not take ${kind} as they are${cause ? ` (${cause.message})` : ''}, and has nothing of the copy`
  return new DatabaseRefusedError(name, reason, 'Check the source with "database check".', cause)
}

async function digest(
  pages: AsyncIterable<string[]>,
  onPage: (page: string[]) => Promise<void>,
): Promise<Omit<KindReport, 'kind'>> {
  const hash = createHash('sha256')
  let records = 0
  for await (const page of pages) {
    hash.update(`${page.join('\n')}\n`)
    records += page.length
    await onPage(page)
  }
  return { records, digest: hash.digest('hex') }
}

async function requireEmpty(name: string, connection: SqlConnection): Promise<void> {
  const counts = await countRecords(connection)
  const held = stateKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`)
  if (held.length === 0) return
  const hint = 'Copy to a new file, or to an empty PostgreSQL database. Create one with: createdb NAME'
  throw new DatabaseRefusedError(name, `it has records already: ${held.join(', ')}`, hint)
}
