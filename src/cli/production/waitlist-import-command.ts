import { extname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import type { ProductionStore } from '../../store/production-store.js'
import type { WaitlistEntry } from '../../store/state-file.js'
import { addCommand } from '../define-command.js'
import { readInput } from '../files.js'
import { databaseOption, jsonOption } from '../options.js'
import { printError } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printable } from '../output/printable.js'
import { withProgress } from '../output/progress.js'
import { interruptedAfter } from '../signals.js'
import { UserError } from '../user-error.js'
import type { FormatName } from './export-formats.js'
import { locateDatabase, withDatabase } from './open-database.js'

const notes = `
CSV begins with a line of column names, "email" and optionally "createdAt"; cells are divided by commas, semicolons, tabs or what
a line "sep=" names. In JSON and NDJSON an entry is an address, or an object with these. "waitlist export" writes each format.
A file is UTF-8 or UTF-16, and has at most 128 MiB, about a million addresses.`

const formats: FormatName[] = ['csv', 'json', 'ndjson']

/** The file is in memory as a whole. */
const maxBytes = 128 * 1024 * 1024

/** More refused lines than these are only counted; `--json` lists all. */
const maxPrintedFaults = 50

/** A file with more of them has another format. */
const maxFaults = 100_000

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
    async run({ file, database, format = formatOf(file), skipInvalid = false }) {
      // Before a long file is read.
      await locateDatabase(database)
      const { valid, refused } = await readList(file, format)
      for (const { place, reason } of refused.slice(0, maxPrintedFaults)) {
        printError(`${place}: ${printable(reason)}`)
      }
      const others = refused.length - maxPrintedFaults
      if (others > 0) printError(`and ${pluralize(others, 'line')} more.`)
      const isImported = refused.length === 0 || (skipInvalid && valid.length > 0)
      const { added, known } = isImported
        ? await withDatabase(database, (store) => addEntries(store, valid), { isAudited: false })
        : { added: 0, known: 0 }
      const counts = { Added: added, Known: known, Refused: refused.length }
      const data = { added, known, refused }
      const lines = Object.entries(counts).map((count) => count.join('\t'))
      if (isImported) {
        const before = `${pluralize(known, 'was', 'were')} on the waitlist already`
        return { message: `Added ${pluralize(added, 'address', 'addresses')}; ${before}.`, data, lines }
      }
      const failure = new UserError(
        `Nothing was added: ${pluralize(refused.length, 'invalid line')} in ${file}.`,
        skipInvalid
          ? 'No line is valid.'
          : refused.length === 1
            ? 'Correct it, or skip it with --skip-invalid.'
            : 'Correct them, or skip them with --skip-invalid.',
      )
      return { data, lines, failure }
    },
  })

/** Reads a file, which may be a pipe, to its end before anything is added. A signal ends the process. @throws UserError */
async function readList(file: string, format: FormatName) {
  const { readAddresses } = await import('./read-addresses.js')
  const hint = 'Give the path of a file, or - for standard input.'
  const tooLarge = 'Split it into several files.'
  const bytes = await readInput(file, { hint, maxBytes, tooLarge })
  const list = await readAddresses(bytes, format, maxFaults)
  if (list.refused.length <= maxFaults) return list
  throw new UserError(
    `More than ${pluralize(maxFaults, 'line')} of ${file} are invalid.`,
    'Check its format.',
  )
}

/** Entries per transaction: the writes of a running server wait for one at a time. */
const batchSize = 10_000

/** The time between two transactions, in milliseconds. SQLite has no queue: whoever waits for its lock looks now and then. */
const pauseMs = 20

/**
 * Adds entries to the waitlist, in several transactions, and records in the audit log how many, at the end.
 * @throws Interrupted by a signal; the committed transactions are kept
 */
async function addEntries(store: ProductionStore, entries: WaitlistEntry[]) {
  const [{ emptyState }, { auditEntry }, { processOrigin }] = await Promise.all([
    import('../../store/state-file.js'),
    import('../../store/audit-entry.js'),
    import('../../store/process-origin.js'),
  ])
  const counts = { added: 0, known: 0 }
  const total = entries.length
  // In the order of the index of addresses: each batch then writes neighbouring pages, and not pages of the whole index. Of
  // an address that is there twice, the first entry stays the first.
  const inOrder = entries.toSorted((a, b) => (a.email < b.email ? -1 : a.email > b.email ? 1 : 0))
  const interrupted = (signal: NodeJS.Signals, done: number) =>
    interruptedAfter(signal, done, pluralize(total, 'address', 'addresses'), 'on the waitlist')
  try {
    await withProgress({ unit: 'addresses', total }, { interrupted }, async (report) => {
      for (let i = 0; i < total; i += batchSize) {
        if (i > 0) await setTimeout(pauseMs)
        const waitlist = inOrder.slice(i, i + batchSize)
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

function formatOf(file: string): FormatName {
  const format = formats.find((each) => `.${each}` === extname(file).toLowerCase())
  if (format) return format
  throw new UserError(
    `The format of ${file === '-' ? 'standard input' : file} is unknown.`,
    `Add --format with one of: ${formats.join(', ')}.`,
  )
}
