import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import type { ProductionStore } from '../../store/production-store.js'
import type { WaitlistEntry } from '../../store/state-file.js'
import { addCommand } from '../define-command.js'
import { databaseOption, jsonOption } from '../options.js'
import { printError, printMessage, show, writeAll } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printable } from '../output/printable.js'
import { showProgress } from '../output/progress.js'
import { Interrupted, interruptedAfter, watchSignals } from '../signals.js'
import { UserError } from '../user-error.js'
import type { WaitlistFormat } from './export-formats.js'
import { existingDatabase, withDatabase } from './open-database.js'
import type { Spool } from './spool.js'

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
      const signals = watchSignals()
      const { entries, refused, count, remove } = await readEntries(file, format, json, signals)
      try {
        for (const { place, reason } of refused.first) printError(`${place}: ${printable(reason)}`)
        if (count.refused > maxPrintedFaults)
          printError(`and ${pluralize(count.refused - maxPrintedFaults, 'line')} more.`)
        const isImported = count.refused === 0 || (skipInvalid && count.valid > 0)
        const { added, known } = isImported
          ? await withDatabase(database, (store) => addEntries(store, entries, count.valid, signals), {
              isAudited: false,
            })
          : { added: 0, known: 0 }
        if (json) await writeAll(reportJson(added, known, refused.all), true)
        else
          await show({
            data: undefined,
            lines: [`Added\t${added}`, `Known\t${known}`, `Refused\t${count.refused}`],
          })
        if (!isImported) {
          throw new UserError(
            `Nothing was added: ${pluralize(count.refused, 'invalid line')} in ${file}.`,
            skipInvalid ? 'No line is valid.' : 'Correct them, or skip them with --skip-invalid.',
          )
        }
        printMessage(
          `Added ${pluralize(added, 'address', 'addresses')}; ${pluralize(known, 'was', 'were')} on the waitlist already.`,
        )
      } finally {
        await remove()
      }
      return undefined
    },
  })

/** Refused lines that are written at once. */
const reportBatchSize = 500

/** The report of `--json`, in parts: as many lines may be refused as there are. */
async function* reportJson(added: number, known: number, refused: Spool<Refused>) {
  yield `{"added":${added},"known":${known},"refused":[`
  let separator = ''
  for await (const batch of refused.batches(reportBatchSize)) {
    yield separator + batch.map((each) => JSON.stringify(each)).join()
    separator = ','
  }
  yield ']}\n'
}

type Signals = ReturnType<typeof watchSignals>
type Refused = { place: string; reason: string }

/**
 * Reads and checks a whole file, so that nothing is added if a line is invalid. The valid entries wait in a temporary file.
 * @param listAll whether all refused lines are kept in one too, beside the first ones to print
 */
async function readEntries(file: string, format: WaitlistFormat, listAll: boolean, signals: Signals) {
  const [{ readAddresses, parseEntry }, { createSpool }] = await Promise.all([
    import('./read-addresses.js'),
    import('./spool.js'),
  ])
  const now = new Date().toISOString()
  const entries = await createSpool<WaitlistEntry>()
  const refused = { first: [] as Refused[], all: await createSpool<Refused>() }
  const remove = () => Promise.all([entries.remove(), refused.all.remove()])
  const count = { valid: 0, refused: 0 }
  const progress = showProgress('lines')
  try {
    for await (const row of readAddresses(file, format)) {
      const signal = signals.received()
      if (signal) throw new Interrupted(signal, 'Interrupted while the file was read. Nothing was added.')
      const entry = 'fault' in row ? row.fault : parseEntry(row.value, now)
      if (typeof entry === 'string') {
        const fault = { place: row.place, reason: entry }
        if (count.refused < maxPrintedFaults) refused.first.push(fault)
        if (listAll) await refused.all.add(fault)
        count.refused += 1
      } else {
        await entries.add(entry)
        count.valid += 1
      }
      progress.report(count.valid + count.refused)
    }
    return { entries, refused, count, remove }
  } catch (error) {
    await remove()
    throw error
  } finally {
    progress.stop()
  }
}

/** Entries per transaction: the writes of a running server wait for one at a time. */
const batchSize = 5000

/**
 * Adds entries to the waitlist, in several transactions, and records in the audit log how many, at the end.
 * @throws Interrupted by a signal; the committed transactions are kept
 */
async function addEntries(
  store: ProductionStore,
  entries: Spool<WaitlistEntry>,
  total: number,
  signals: Signals,
) {
  const [{ emptyState }, { auditEntry }, { processOrigin }] = await Promise.all([
    import('../../store/state-file.js'),
    import('../../store/audit-log.js'),
    import('../../store/process-origin.js'),
  ])
  const progress = showProgress('addresses', total)
  let added = 0
  let known = 0
  try {
    for await (const waitlist of entries.batches(batchSize)) {
      const signal = signals.received()
      if (signal)
        throw interruptedAfter(
          signal,
          added + known,
          pluralize(total, 'address', 'addresses'),
          'on the waitlist',
        )
      const { created, existing } = await store.load({ ...emptyState(), waitlist })
      added += created.waitlist
      known += existing.waitlist
      progress.report(added + known)
    }
    return { added, known }
  } finally {
    progress.stop()
    const event = { action: 'waitlist.add', details: { waitlist: added } } as const
    if (added > 0) await store.appendToAudit(auditEntry(processOrigin(), event))
  }
}

function formatOf(file: string): WaitlistFormat {
  const format = formats.find((each) => `.${each}` === extname(file).toLowerCase())
  if (format) return format
  throw new UserError(
    `The format of ${file === '-' ? 'standard input' : file} is unknown.`,
    `Add --format with one of: ${formats.join(', ')}.`,
  )
}
