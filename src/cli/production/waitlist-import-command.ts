import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import type { WaitlistEntry } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import { databaseOptions, examples } from '../options.js'
import { printError, printMessage, show } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printable } from '../output/printable.js'
import { showProgress } from '../output/progress.js'
import { UserError } from '../user-error.js'
import { withDatabase } from './open-database.js'
import type { WaitlistFormat } from './waitlist-formats.js'

const about = `
CSV begins with a line of column names: "email" is required, "createdAt" is optional. JSON is an array, NDJSON has
one entry on each line; an entry is an address, or an object with "email" and optionally "createdAt". An entry
without a time gets the current one. The output of "waitlist export" can be imported in each format.`

const formats: WaitlistFormat[] = ['csv', 'json', 'ndjson']

/** More refused lines than these are only counted; \`--json\` lists all. */
const maxPrintedFaults = 50

export const defineImport = (importCommand: Command) =>
  databaseOptions(
    importCommand
      .addOption(
        new Option('--format <format>', 'the format of the file (default: by its extension)').choices(
          formats,
        ),
      )
      .option('--skip-invalid', 'skip invalid lines and add the others'),
  )
    .description('Add the addresses of a file: all of them, or none if a line is invalid.')
    .argument('<file>', 'csv, json or ndjson; - for standard input')
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist export --output waitlist.csv',
        'npx dashboard-api waitlist import waitlist.csv',
        "printf 'email\\nada@example.com\\nno address\\n' | npx dashboard-api waitlist import - --format csv --skip-invalid",
      ),
    )
    .action(async (file, { database, json, format = formatOf(file), skipInvalid = false }) => {
      const { isImported, ...report } = await withDatabase(database, (store) =>
        importEntries(store, file, format, skipInvalid),
      )
      const { added, known, refused } = report
      for (const { place, reason } of refused.slice(0, maxPrintedFaults))
        printError(`${place}: ${printable(reason)}`)
      if (refused.length > maxPrintedFaults)
        printError(`and ${pluralize(refused.length - maxPrintedFaults, 'line')} more.`)
      const lines = [`Added\t${added}`, `Known\t${known}`, `Refused\t${refused.length}`]
      await show({ data: report, lines }, json)
      if (!isImported) {
        throw new UserError(
          `Nothing was added: ${pluralize(refused.length, 'invalid line')} in ${file}.`,
          'Correct them, or skip them with --skip-invalid.',
        )
      }
      printMessage(
        `Added ${pluralize(added, 'address', 'addresses')}; ${pluralize(known, 'was', 'were')} on the waitlist already.`,
      )
    })

/** Adds the addresses of a file in one transaction; nothing if a line is invalid, unless `skipInvalid` is set. */
async function importEntries(store: Store, file: string, format: WaitlistFormat, skipInvalid: boolean) {
  const [{ readAddresses, parseEntry }, { emptyState }] = await Promise.all([
    import('./read-addresses.js'),
    import('../../store/state-file.js'),
  ])
  const now = new Date().toISOString()
  const entries: WaitlistEntry[] = []
  const refused: { place: string; reason: string }[] = []
  const progress = showProgress('lines')
  try {
    for await (const row of readAddresses(file, format)) {
      const entry = 'fault' in row ? row.fault : parseEntry(row.value, now)
      if (typeof entry === 'string') refused.push({ place: row.place, reason: entry })
      else entries.push(entry)
      progress.report(entries.length + refused.length)
    }
    refused.sort((a, b) => numerically.compare(a.place, b.place))
    if (refused.length > 0 && !skipInvalid) return { isImported: false, added: 0, known: 0, refused }
    const { created, existing } = await store.load({ ...emptyState(), waitlist: entries })
    return { isImported: true, added: created.waitlist, known: existing.waitlist, refused }
  } finally {
    await progress.stop()
  }
}

/** Sorts line 10 after line 9. The CSV parser reports a malformed line before the lines ahead of it. */
const numerically = new Intl.Collator('en', { numeric: true })

function formatOf(file: string): WaitlistFormat {
  const format = formats.find((each) => `.${each}` === extname(file).toLowerCase())
  if (format) return format
  throw new UserError(
    `The format of ${file === '-' ? 'standard input' : file} is unknown.`,
    `Add --format with one of: ${formats.join(', ')}.`,
  )
}
