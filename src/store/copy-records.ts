import { createHash, type Hash } from 'node:crypto'
import { type AuditEntry, auditEntry } from './audit-log.js'
import { processOrigin } from './process-origin.js'
import { appendMissingEntries, auditPages } from './sql/audit.js'
import type { SqlConnection, SqlDatabase } from './sql/sql-database.js'
import { countRecords, insertStatement } from './sql/state.js'
import { type StateCounts, type StateKind, stateKinds, zeroCounts } from './state-file.js'
import { StoreUnavailableError } from './store.js'

/** A database to copy from or to. */
type CopyEnd = {
  /** Its path, or its address without a password. */
  name: string
  /** The same text for the same database, whatever path or address leads to it. */
  identity: string
  pages: ReadPages
  close(): Promise<void>
}

export type CopySource = CopyEnd &
  Pick<SqlDatabase, 'read' | 'snapshot'> & {
    /** A query with another result after every commit. */
    mark: string
  }

export type CopyTarget = CopyEnd & Pick<SqlDatabase, 'dialect' | 'transaction'>

/** Reads all records of a kind in insertion order: each as a JSON array of its stored columns. */
export type ReadPages = (connection: SqlConnection, kind: StateKind) => AsyncIterable<string[]>

/** The number of records, and SHA-256 of them in insertion order: a line of JSON for each. */
type RecordsDigest = { records: number; digest: string }

export type KindReport = {
  kind: StateKind
  source: RecordsDigest
  target: RecordsDigest
  /** How many records were copied: none where both were the same already. */
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
 * Copies all records from one database to another, which has to be empty, as one transaction, and compares both before its
 * end. A target that has as many records already is only compared.
 * @throws CopyError; StoreUnavailableError where a database cannot be used for now
 */
export async function copyRecords(
  source: CopySource,
  target: CopyTarget,
  onProgress: CopyProgress,
): Promise<CopyReport> {
  if (source.identity === target.identity) {
    throw new CopyError(`${source.name} and ${target.name} are the same database.`, 'Name two databases.')
  }
  const copied = await source.snapshot(async (reading) => {
    const report = await copyFrom(reading, source, target, onProgress)
    return { report, mark: JSON.stringify(await reading.all(source.mark)) }
  })
  const mark = JSON.stringify(await source.read(source.mark))
  return { ...copied.report, sourceChanged: mark !== copied.mark }
}

/** @param reading a transaction of the source */
async function copyFrom(
  reading: SqlConnection,
  source: CopySource,
  target: CopyTarget,
  onProgress: CopyProgress,
): Promise<Omit<CopyReport, 'sourceChanged'>> {
  const counts = await countRecords(reading)
  const total = stateKinds.reduce((sum, kind) => sum + counts[kind], 0)
  return target.transaction(async (connection) => {
    if (target.dialect.lockGlobalScope) await connection.all(target.dialect.lockGlobalScope)
    const before = await countRecords(connection)
    const isEmpty = stateKinds.every((kind) => before[kind] === 0)
    if (!isEmpty && stateKinds.some((kind) => before[kind] !== counts[kind])) throw hasOthers(target, before)

    const [step, passes] = isEmpty ? (['copy', 1] as const) : (['compare', 2] as const)
    let done = 0
    const digests = {} as Record<StateKind, RecordsDigest>
    for (const kind of stateKinds) {
      digests[kind] = await digest(source.pages(reading, kind), async (page) => {
        if (isEmpty) await add(connection, target, kind, page)
        done += page.length
        onProgress(step, done, passes * total)
      })
    }
    if (isEmpty) done = 0
    const kinds: KindReport[] = []
    for (const kind of stateKinds) {
      const found = await digest(target.pages(connection, kind), async (page) => {
        done += page.length
        onProgress('compare', done, passes * total)
      })
      const expected = digests[kind]
      const same = found.records === expected.records && found.digest === expected.digest
      kinds.push({ kind, source: expected, target: found, copied: isEmpty ? found.records : 0, same })
    }
    const same = kinds.every((kind) => kind.same)
    if (!same) throw isEmpty ? differs(source, target, kinds) : hasOthers(target, before)
    const audit = isEmpty ? await copyAudit(source.name, reading, target, connection, counts) : 0
    return { kinds, audit, same }
  })
}

async function add(
  connection: SqlConnection,
  target: CopyTarget,
  kind: StateKind,
  page: string[],
): Promise<void> {
  await connection.run(insertStatement(target.dialect, kind), `[${page.join(',')}]`).catch((error) => {
    if (error instanceof StoreUnavailableError) throw error
    const hint = 'Check the source with "database check".'
    throw new CopyError(`${target.name} refused ${kind}: ${error.message}.`, hint)
  })
}

/** The audit log comes along, with an entry about the copy. Returns the number of copied entries. */
async function copyAudit(
  source: string,
  reading: SqlConnection,
  { dialect }: CopyTarget,
  connection: SqlConnection,
  counts: StateCounts,
): Promise<number> {
  let audit = 0
  const append = (entries: AuditEntry[]) => appendMissingEntries(connection, dialect, entries)
  for await (const page of auditPages(reading)) {
    await append(page)
    audit += page.length
  }
  const details = { ...zeroCounts(), ...counts, audit }
  await append([auditEntry(processOrigin(), { action: 'database.copy', target: source, details })])
  return audit
}

async function digest(
  pages: AsyncIterable<string[]>,
  onPage: (page: string[]) => Promise<void>,
): Promise<RecordsDigest> {
  const hash: Hash = createHash('sha256')
  let records = 0
  for await (const page of pages) {
    hash.update(`${page.join('\n')}\n`)
    records += page.length
    await onPage(page)
  }
  return { records, digest: hash.digest('hex') }
}

const differs = (source: CopySource, target: CopyTarget, kinds: KindReport[]) => {
  const names = kinds.filter(({ same }) => !same).map(({ kind }) => kind)
  return new CopyError(
    `The copy in ${target.name} differed from ${source.name} (${names.join(', ')}) and was removed again.`,
    'Check the source with "database check".',
  )
}

const hasOthers = ({ name }: CopyTarget, counts: StateCounts) => {
  const held = stateKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`)
  return new CopyError(
    `${name} has other records already: ${held.join(', ')}.`,
    'Copy to a new file, or to an empty PostgreSQL database, such as one of: createdb NAME',
  )
}
