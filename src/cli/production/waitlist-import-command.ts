import { constants, createReadStream, createWriteStream, openSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import type { ProductionStore } from '../../store/production-store.js'
import type { WaitlistEntry } from '../../store/state-file.js'
import { addCommand } from '../define-command.js'
import { readFailure, writeFailure } from '../file-failure.js'
import { databaseOption, jsonOption } from '../options.js'
import { printError, printMessage, writeAll } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printable } from '../output/printable.js'
import { withProgress } from '../output/progress.js'
import { show } from '../output/show.js'
import { Interrupted, interruptedAfter, watchSignals } from '../signals.js'
import { UserError } from '../user-error.js'
import type { WaitlistFormat } from './export-formats.js'
import { existingDatabase, withDatabase } from './open-database.js'
import type { Refused } from './read-addresses.js'

const notes = `
CSV begins with a line of column names: "email" is required, "createdAt" is optional. JSON is an array, NDJSON has
one entry on each line; an entry is an address, or an object with "email" and optionally "createdAt". An entry
without a time gets the current one. The output of "waitlist export" can be imported in each format.`

const formats: WaitlistFormat[] = ['csv', 'json', 'ndjson']

/** More refused lines than these are only counted; \`--json\` lists all. */
const maxPrintedFaults = 50

export const defineImport = (group: Command) =>
  addCommand(group, 'import <file>', {
    about: 'Add the addresses of a file, or none of them if a line is invalid.',
    args: ['csv, json or ndjson; - for standard input'],
    options: [
      new Option('--format <format>', 'the format of the file (default: by its extension)').choices(formats),
      ['--skip-invalid', 'skip invalid lines and add the others'],
      databaseOption(),
      jsonOption(),
    ],
    notes,
    examples: [
      'npx dashboard-api waitlist export --output waitlist.csv',
      'waitlist.csv',
      "printf 'email\\nada@example.com\\nno address\\n' | npx dashboard-api waitlist import - --format csv --skip-invalid",
    ],
    async run({ file, database, json = false, format = formatOf(file), skipInvalid = false }) {
      // Before a long file is read.
      await existingDatabase(database)
      // From now on, so that the copy is removed.
      watchSignals()
      const folder = await mkdtemp(join(tmpdir(), 'dashboard-api-')).catch((error) => {
        throw copyFailure(error)
      })
      try {
        const copy = join(folder, 'addresses')
        const { valid, refused, first } = await checkRows(file, format, copy)
        for (const { place, reason } of first) printError(`${place}: ${printable(reason)}`)
        if (refused > first.length) printError(`and ${pluralize(refused - first.length, 'line')} more.`)
        const isImported = refused === 0 || (skipInvalid && valid > 0)
        const { added, known } = isImported
          ? await withDatabase(database, (store) => addEntries(store, readRows(copy), valid), {
              isAudited: false,
            })
          : { added: 0, known: 0 }
        if (json) await writeAll(reportJson(added, known, refused > 0 ? readRows(copy) : []), true)
        else await show({ lines: [`Added\t${added}`, `Known\t${known}`, `Refused\t${refused}`] })
        if (!isImported) {
          throw new UserError(
            `Nothing was added: ${pluralize(refused, 'invalid line')} in ${file}.`,
            skipInvalid ? 'No line is valid.' : 'Correct them, or skip them with --skip-invalid.',
          )
        }
        printMessage(
          `Added ${pluralize(added, 'address', 'addresses')}; ${pluralize(known, 'was', 'were')} on the waitlist already.`,
        )
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
      return undefined
    },
  })

type Rows = AsyncIterable<WaitlistEntry | Refused>
const isRefused = (row: WaitlistEntry | Refused): row is Refused => 'reason' in row

const interruptedReading = (signal: NodeJS.Signals) =>
  new Interrupted(signal, 'Interrupted while the file was read. Nothing was added.')

/**
 * Reads a file, which may be a pipe, to its end before anything is added.
 * @param copy gets the rows, each as a line of JSON; only this user can read it
 * @returns the counts, and the first faults
 */
async function checkRows(file: string, format: WaitlistFormat, copy: string) {
  const [{ readAddresses }, { inBatches }] = await Promise.all([
    import('./read-addresses.js'),
    import('./export-formats.js'),
  ])
  const signal = watchSignals()
  const found = { valid: 0, refused: 0, first: [] as Refused[] }
  try {
    const input = addAbortSignal(signal, openInput(file))
    const rows = readAddresses(input, format, new Date().toISOString())
    await withProgress({ unit: 'lines' }, { interrupted: interruptedReading }, async (report) => {
      async function* lines() {
        for await (const batch of inBatches(rows, batchSize)) {
          for (const row of batch) {
            found[isRefused(row) ? 'refused' : 'valid'] += 1
            if (isRefused(row) && found.first.length < maxPrintedFaults) found.first.push(row)
          }
          report(found.valid + found.refused)
          yield batch.map((row) => `${JSON.stringify(row)}\n`).join('')
        }
      }
      await pipeline(lines, createWriteStream(copy, { mode: 0o600 }))
    })
    return found
  } catch (error) {
    if (signal.aborted) throw interruptedReading(signal.reason)
    const { syscall, path } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    if (syscall !== 'read' && path !== file) throw copyFailure(error)
    throw readFailure(file, error as Error, 'Give the path of a file, or - for standard input.')
  }
}

/**
 * A pipe is read without blocking, as standard input is: a thread that waits for a silent pipe cannot be stopped, and would
 * keep an interrupted process.
 */
function openInput(file: string) {
  if (file === '-') return process.stdin
  if (!statSync(file).isFIFO()) return createReadStream(file)
  return new Socket({ fd: openSync(file, constants.O_RDONLY | constants.O_NONBLOCK), writable: false })
}

const copyFailure = (error: unknown) =>
  writeFailure(tmpdir(), error, 'The file is copied to this folder; set TMPDIR for another one.')

async function* readRows(copy: string): Rows {
  const { linesOf } = await import('./read-addresses.js')
  for await (const line of linesOf(createReadStream(copy, 'utf8'))) yield JSON.parse(line)
}

/** Entries per transaction: the writes of a running server wait for one at a time. */
const batchSize = 5000

/**
 * Adds the valid rows to the waitlist, in several transactions, and records in the audit log how many, at the end.
 * @throws Interrupted by a signal; the committed transactions are kept
 */
async function addEntries(store: ProductionStore, rows: Rows, total: number) {
  const [{ inBatches }, { emptyState }, { auditEntry }, { processOrigin }] = await Promise.all([
    import('./export-formats.js'),
    import('../../store/state-file.js'),
    import('../../store/audit-log.js'),
    import('../../store/process-origin.js'),
  ])
  async function* entries() {
    for await (const row of rows) if (!isRefused(row)) yield row
  }
  const counts = { added: 0, known: 0 }
  const inWords = pluralize(total, 'address', 'addresses')
  const interrupted = (signal: NodeJS.Signals, done: number) =>
    interruptedAfter(signal, done, inWords, 'on the waitlist')
  try {
    await withProgress({ unit: 'addresses', total }, { interrupted }, async (report) => {
      for await (const waitlist of inBatches(entries(), batchSize)) {
        const { created, existing } = await store.load({ ...emptyState(), waitlist })
        counts.added += created.waitlist
        counts.known += existing.waitlist
        report(counts.added + counts.known)
      }
    })
    return counts
  } finally {
    const event = { action: 'waitlist.add', details: { waitlist: counts.added } } as const
    if (counts.added > 0) await store.appendToAudit(auditEntry(processOrigin(), event))
  }
}

/** The report of `--json`, in parts: as many lines may be refused as there are. */
async function* reportJson(added: number, known: number, rows: Rows | never[]) {
  yield `{"added":${added},"known":${known},"refused":[`
  let separator = ''
  for await (const row of rows) {
    if (!isRefused(row)) continue
    yield separator + JSON.stringify(row)
    separator = ','
  }
  yield ']}\n'
}

function formatOf(file: string): WaitlistFormat {
  const format = formats.find((each) => `.${each}` === extname(file).toLowerCase())
  if (format) return format
  throw new UserError(
    `The format of ${file === '-' ? 'standard input' : file} is unknown.`,
    `Add --format with one of: ${formats.join(', ')}.`,
  )
}
