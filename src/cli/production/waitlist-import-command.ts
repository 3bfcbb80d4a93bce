import { constants, createReadStream, createWriteStream, openSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
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
        const rows = await copyRows(file, join(folder, 'addresses'), format)
        const { valid, refused, first } = await checkRows(rows())
        for (const { place, reason } of first) printError(`${place}: ${printable(reason)}`)
        if (refused > first.length) printError(`and ${pluralize(refused - first.length, 'line')} more.`)
        const isImported = refused === 0 || (skipInvalid && valid > 0)
        const { added, known } = isImported
          ? await withDatabase(database, (store) => addEntries(store, rows(), valid), { isAudited: false })
          : { added: 0, known: 0 }
        if (json) await writeAll(reportJson(added, known, refused > 0 ? rows() : []), true)
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
 * Copies a file, which may be a pipe, so that it can be checked as a whole before anything is added. Only this user can read
 * the copy.
 * @returns reads the rows of the copy, as often as it is called
 */
async function copyRows(file: string, copy: string, format: WaitlistFormat): Promise<() => Rows> {
  const { readAddresses } = await import('./read-addresses.js')
  const signal = watchSignals()
  try {
    await pipeline(openInput(file), createWriteStream(copy, { mode: 0o600 }), { signal })
  } catch (error) {
    if (signal.aborted) throw interruptedReading(signal.reason)
    const { syscall, path } = error as NodeJS.ErrnoException
    if (syscall !== 'read' && path !== file) throw copyFailure(error)
    throw readFailure(file, error as Error, 'Give the path of a file, or - for standard input.')
  }
  const now = new Date().toISOString()
  return () => readAddresses(copy, format, now)
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

/** Counts the rows, and returns the first faults. */
async function checkRows(rows: Rows) {
  const found = { valid: 0, refused: 0, first: [] as Refused[] }
  await withProgress({ unit: 'lines' }, { interrupted: interruptedReading }, async (report) => {
    for await (const row of rows) {
      found[isRefused(row) ? 'refused' : 'valid'] += 1
      if (isRefused(row) && found.first.length < maxPrintedFaults) found.first.push(row)
      report(found.valid + found.refused)
    }
  })
  return found
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
