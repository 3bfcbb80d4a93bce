import { createHash } from 'node:crypto'
import { type AuditEntry, auditEntry } from './audit-log.js'
import { requireVersion } from './database-version.js'
import { processOrigin } from './process-origin.js'
import { appendMissingEntries, auditPages } from './sql/audit.js'
import type { ReadDatabase, SqlConnection, SqlDatabase } from './sql/sql-database.js'
import { countRecords, insertStatement } from './sql/state.js'
import { type StateKind, stateKinds } from './state-file.js'
import { StoreUnavailableError } from './store.js'

/** The number of records, and SHA-256 of them in insertion order: a line of JSON for each. */
type RecordsDigest = { records: number; digest: string }

export type KindReport = {
  kind: StateKind
  source: RecordsDigest
  target: RecordsDigest
  copied: number
  same: boolean
}

export type CopyReport = {
  kinds: KindReport[]
  /** How many entries of the audit log were copied. */
  audit: number
  /** Always true: a copy that differs is an error. */
  same: boolean
  /** Whether the source was changed after the moment that was copied. */
  sourceChanged: boolean
}

/** Called after each page. It throws to stop the copy, of which nothing is left then. */
export type CopyProgress = (step: 'copy' | 'compare', done: number, total: number) => void

/** A copy that is refused or that failed: what happened, and what to do next. */
export class CopyError extends Error {
  override name = 'CopyError'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

/**
 * Copies all records, and the audit log, from one database to another, which has to be empty, as one transaction, and
 * compares both before its end.
 * @throws CopyError; DatabaseRefusedError for a database of another version than this program's; StoreUnavailableError
 *   where a database cannot be used for now
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
  const digests = {} as Record<StateKind, RecordsDigest>
  for (const kind of stateKinds) {
    digests[kind] = await digest(source.dialect.pages(reading, kind), async (page) => {
      await add(writing, target, kind, page)
      copied += page.length
      onProgress('copy', copied, total)
    })
  }
  let compared = 0
  const kinds: KindReport[] = []
  for (const kind of stateKinds) {
    const found = await digest(dialect.pages(writing, kind), async (page) => {
      compared += page.length
      onProgress('compare', compared, total)
    })
    const { records, digest: expected } = digests[kind]
    const same = found.records === records && found.digest === expected
    kinds.push({ kind, source: digests[kind], target: found, copied: found.records, same })
  }
  if (!kinds.every(({ same }) => same)) throw differs(source.name, target.name, kinds)

  // The audit log comes along, with an entry about the copy.
  let audit = 0
  const append = (entries: AuditEntry[]) => appendMissingEntries(writing, dialect, entries)
  for await (const page of auditPages(reading)) {
    await append(page)
    audit += page.length
  }
  const event = { action: 'database.copy', target: source.name, details: { ...counts, audit } } as const
  await append([auditEntry(processOrigin(), event)])
  return { kinds, audit, same: true }
}

async function add(
  connection: SqlConnection,
  { name, dialect }: SqlDatabase,
  kind: StateKind,
  page: string[],
): Promise<void> {
  await connection.run(insertStatement(dialect, kind), `[${page.join(',')}]`).catch((error) => {
    if (error instanceof StoreUnavailableError) throw error
    throw new CopyError(
      `${name} refused ${kind}: ${error.message}.`,
      'Check the source with "database check".',
    )
  })
}

async function digest(
  pages: AsyncIterable<string[]>,
  onPage: (page: string[]) => Promise<void>,
): Promise<RecordsDigest> {
  const hash = createHash('sha256')
  let records = 0
  for await (const page of pages) {
    hash.update(`${page.join('\n')}\n`)
    records += page.length
    await onPage(page)
  }
  return { records, digest: hash.digest('hex') }
}

const differs = (source: string, target: string, kinds: KindReport[]) => {
  const names = kinds.filter(({ same }) => !same).map(({ kind }) => kind)
  return new CopyError(
    `The copy in ${target} differed from ${source} (${names.join(', ')}) and was removed again.`,
    'Check the source with "database check".',
  )
}

async function requireEmpty(name: string, connection: SqlConnection): Promise<void> {
  const counts = await countRecords(connection)
  const held = stateKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`)
  if (held.length === 0) return
  throw new CopyError(
    `${name} has records already: ${held.join(', ')}.`,
    'Copy to a new file, or to an empty PostgreSQL database, such as one of: createdb NAME',
  )
}
