import { createHash } from 'node:crypto'
import { type AuditEntry, auditEntry } from './audit-log.js'
import { processOrigin } from './process-origin.js'
import { readAhead } from './read-ahead.js'
import { type StateCounts, type StateKind, stateKinds, zeroCounts } from './state-file.js'

/** Where a copy has come to in a kind: the source's position of the last copied record, as text, and its id. */
export type Mark = { position: string; id: string }
export type Marks = Record<StateKind, Mark>

/** The mark of a kind of which nothing was copied. */
export const startMark: Mark = { position: '0', id: '' }

/** Some records of a kind, in insertion order. */
export type Page = {
  /** The stored columns of each record, as a JSON array: the same text for the same record of every database. */
  records: string[]
  last: Mark
}

/** A database to copy from, as it was committed at one moment. */
export type CopySource = {
  /** Its path, or its address without a password. */
  name: string
  /** The same text for the same database, whatever path or address leads to it. */
  identity: string
  /** Whether it is itself the target of a copy that has not ended. */
  isUnfinished: boolean
  counts(): Promise<StateCounts>
  /** The number of records of a kind up to a position, and the id of the record there. */
  upTo(kind: StateKind, position: string): Promise<{ records: number; id: string | null }>
  /** All records of a kind after a position, in pages of limited length. One kind at a time. */
  pages(kind: StateKind, position: string): AsyncIterable<Page>
  /** Its audit log, in pages. */
  auditPages(): AsyncIterable<AuditEntry[]>
  /** Whether commits changed it since it was opened. It cannot be read any more then. */
  hasChanged(): Promise<boolean>
  close(): Promise<void>
}

/** What a target has. Without marks it has no unfinished copy. */
export type TargetState = { counts: StateCounts; marks: Marks | undefined }

/** A database to copy to. Until `finish` it has a table with the marks of the copy. */
export type CopyTarget = {
  name: string
  identity: string
  /**
   * Begins a copy where the target has no records; otherwise only tells what it has.
   * @param isRestart removes the records of an unfinished copy first
   */
  begin(isRestart: boolean): Promise<TargetState>
  /**
   * Adds a page and moves the mark of its kind, as one transaction.
   * @throws CopyError where the mark was moved by another process, or the records conflict with others
   */
  add(kind: StateKind, page: Page, before: Mark): Promise<void>
  /** Appends the entries that its audit log does not have. */
  addAudit(entries: AuditEntry[]): Promise<void>
  /** Removes the marks: the copy is complete. Its audit log gets the entry as well. */
  finish(entry: AuditEntry): Promise<void>
  /** Opens what it has now. */
  read(): Promise<CopySource>
  close(): Promise<void>
}

export type KindReport = {
  kind: StateKind
  source: RecordsDigest
  target: RecordsDigest
  /** How many records this run copied. */
  copied: number
  same: boolean
}

export type CopyReport = {
  kinds: KindReport[]
  /** How many entries of the audit log were copied: all, once the records are the same. */
  audit: number
  /** Whether every kind is the same in both databases. Only then the copy is complete. */
  same: boolean
  /** Whether the source was changed after the moment that was copied. */
  sourceChanged: boolean
}

/** Called after each page. It throws to stop the copy, which can be continued. */
export type CopyProgress = (step: 'copy' | 'compare', done: number, total: number) => void

/** A copy that is refused or that failed: what happened, and what to do next. */
export class CopyError extends Error {
  override name = 'CopyError'
  readonly hint: string
  /** Whether the databases are not the right ones, so that nothing was copied. */
  readonly isRefusal: boolean

  constructor(message: string, hint: string, isRefusal = false) {
    super(message)
    this.hint = hint
    this.isRefusal = isRefusal
  }
}

/**
 * Copies all records from one database to another, page by page and in insertion order, and compares both afterwards.
 * The target has to be empty, or to have an unfinished copy of this source, which is continued. A target that has all
 * records already is only compared.
 * @throws CopyError; StoreUnavailableError where a database cannot be used for now
 */
export async function copyRecords(
  source: CopySource,
  target: CopyTarget,
  { isRestart = false, onProgress }: { isRestart?: boolean; onProgress: CopyProgress },
): Promise<CopyReport> {
  refuseUnsuitable(source, target)
  const counts = await source.counts()
  const { counts: before, marks } = await target.begin(isRestart)
  if (marks) await requireSameSource(source, target, before, marks)
  else if (stateKinds.some((kind) => before[kind] !== counts[kind])) throw hasOthers(target, before)

  const copied = zeroCounts()
  const digests: Partial<Record<StateKind, Digest>> = {}
  const total = sum(counts)
  let done = sum(before)
  for (const kind of marks ? stateKinds : []) {
    let mark = marks?.[kind] ?? startMark
    // What is copied from its beginning need not be read again to compare it.
    if (mark.position === startMark.position) digests[kind] = createDigest()
    for await (const page of readAhead(joinPages(source.pages(kind, mark.position)))) {
      await target.add(kind, page, mark)
      mark = page.last
      digests[kind]?.add(page)
      copied[kind] += page.records.length
      done += page.records.length
      onProgress('copy', done, total)
    }
  }

  const compared = await compare(source, target, digests, (done) => onProgress('compare', done, total))
  const same = compared.every((kind) => kind.same)
  if (!same && !marks) throw hasOthers(target, before)
  let audit = 0
  if (same && marks) {
    for await (const page of source.auditPages()) {
      await target.addAudit(page)
      audit += page.length
    }
    const event = { action: 'database.copy' as const, target: source.name, details: { ...counts, audit } }
    await target.finish(auditEntry(processOrigin(), event))
  }
  return {
    kinds: compared.map((kind) => ({ ...kind, copied: copied[kind.kind] })),
    audit,
    same,
    sourceChanged: await source.hasChanged(),
  }
}

/** Joins pages up to what a transaction writes: fewer transactions wait less for the disk. */
async function* joinPages(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  let joined: Page | undefined
  let length = 0
  for await (const { records, last } of pages) {
    joined = { records: [...(joined?.records ?? []), ...records], last }
    length += records.reduce((total, record) => total + record.length, 0)
    if (joined.records.length < maxRecords && length < maxLength) continue
    yield joined
    joined = undefined
    length = 0
  }
  if (joined) yield joined
}

/**
 * The records of a transaction, and the characters of their text; the last page may exceed both. With more of them a
 * page of an index is written less often.
 */
const maxRecords = 10_000
const maxLength = 8 * 1024 * 1024

function refuseUnsuitable(source: CopySource, target: CopyTarget): void {
  if (source.identity === target.identity) {
    throw new CopyError(
      `${source.name} and ${target.name} are the same database.`,
      'Name two databases.',
      true,
    )
  }
  if (source.isUnfinished) {
    throw new CopyError(
      `${source.name} has an unfinished copy: records are missing in it.`,
      'Complete that copy first.',
      true,
    )
  }
}

/** An unfinished copy has the first records of its source, up to its marks. */
async function requireSameSource(source: CopySource, target: CopyTarget, has: StateCounts, marks: Marks) {
  for (const kind of stateKinds) {
    const { position, id } = marks[kind]
    const found = await source.upTo(kind, position)
    if (found.records === has[kind] && (found.id ?? '') === id) continue
    throw new CopyError(
      `${target.name} has an unfinished copy that ${source.name} does not continue: ` +
        `it has ${has[kind]} ${kind}, the source ${found.records} up to the last of them.`,
      'It is a copy of another database, or one of them was changed since. Add --restart to remove what was copied and begin again.',
      true,
    )
  }
}

const hasOthers = ({ name }: CopyTarget, counts: StateCounts) => {
  const held = stateKinds.filter((kind) => counts[kind] > 0).map((kind) => `${counts[kind]} ${kind}`)
  return new CopyError(
    `${name} has other records already: ${held.join(', ')}.`,
    'Copy to a new file, or to an empty PostgreSQL database, such as one of: createdb NAME',
    true,
  )
}

/** @param digests of the kinds of the source that were read already */
async function compare(
  source: CopySource,
  target: CopyTarget,
  digests: Partial<Record<StateKind, Digest>>,
  onProgress: (done: number) => void,
): Promise<Omit<KindReport, 'copied'>[]> {
  const written = await target.read()
  let done = 0
  const onPage = ({ records }: Page) => {
    done += records.length
    onProgress(done)
  }
  try {
    const reports: Omit<KindReport, 'copied'>[] = []
    for (const kind of stateKinds) {
      const [from, to] = await Promise.all([
        digests[kind]?.end() ?? digestOf(source, kind),
        digestOf(written, kind, onPage),
      ])
      const same = from.records === to.records && from.digest === to.digest
      reports.push({ kind, source: from, target: to, same })
    }
    return reports
  } finally {
    await written.close()
  }
}

async function digestOf(
  source: CopySource,
  kind: StateKind,
  onPage: (page: Page) => void = () => {},
): Promise<RecordsDigest> {
  const digest = createDigest()
  for await (const page of readAhead(source.pages(kind, startMark.position))) {
    digest.add(page)
    onPage(page)
  }
  return digest.end()
}

/** The number of records, and SHA-256 of them in insertion order: a line of JSON for each. */
type RecordsDigest = { records: number; digest: string }
type Digest = { add(page: Page): void; end(): RecordsDigest }

function createDigest(): Digest {
  const hash = createHash('sha256')
  let count = 0
  return {
    add({ records }) {
      hash.update(`${records.join('\n')}\n`)
      count += records.length
    },
    end: () => ({ records: count, digest: hash.digest('hex') }),
  }
}

const sum = (counts: StateCounts): number => stateKinds.reduce((total, kind) => total + counts[kind], 0)
