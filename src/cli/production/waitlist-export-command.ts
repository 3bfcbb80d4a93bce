import { type Command, Option } from 'commander'
import type { WaitlistFilter } from '../../store/store.js'
import { databaseOption, examples } from '../options.js'
import { printMessage, writeAll } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { showProgress } from '../output/progress.js'
import { Interrupted, watchSignals } from '../signals.js'
import { writeAtomically } from '../write-atomically.js'
import { readDatabase } from './open-database.js'
import { filterEntries, filterOptions } from './waitlist-filter.js'
import type { WaitlistFormat } from './waitlist-formats.js'

const about = `
With --output the file is written atomically: after a failure the old one is unchanged.
In CSV, a cell that begins with = + - @ ', a tab or a carriage return is prefixed with an apostrophe, so that no
spreadsheet runs it as a formula. An import removes it. JSON and NDJSON contain the addresses unchanged.`

export const defineExport = (exportCommand: Command) =>
  filterOptions(exportCommand)
    .description('Export the waitlist, newest first, to a file or to stdout.')
    .addOption(databaseOption())
    .addOption(
      new Option('--format <format>', 'csv (RFC 4180), json (an array) or ndjson (one entry a line)')
        .choices(['csv', 'json', 'ndjson'])
        .default('csv'),
    )
    .option('--output <file>', 'the file to write (default: stdout)')
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist export --output waitlist.csv',
        'npx dashboard-api waitlist export --format ndjson --since 2026-01-01',
      ),
    )
    .action(async ({ database, format, output, ...filter }) => {
      const count = await exportWaitlist({ database, format, output }, filter)
      if (output !== undefined)
        printMessage(`Wrote ${pluralize(count, 'address', 'addresses')} to ${output}.`)
    })

type Options = { database?: string; format: WaitlistFormat; output?: string }

/**
 * Exports with constant memory. Addresses that are added during the export are not in it.
 * @returns the number of addresses
 * @throws Interrupted by a signal; the file is then unchanged
 */
async function exportWaitlist(
  { database, format, output }: Options,
  filter: WaitlistFilter,
): Promise<number> {
  const { waitlistFormats } = await import('./waitlist-formats.js')
  return readDatabase(database, async (store) => {
    const { entries, count } = filterEntries(store, filter)
    // Where the terminal shows the data itself, a progress line would overwrite it.
    const showsProgress = output !== undefined || !process.stdout.isTTY
    const progress = showsProgress ? showProgress('addresses', await count()) : undefined
    const signals = output === undefined ? undefined : watchSignals()
    let written = 0
    async function* counted() {
      for await (const entry of entries) {
        const signal = signals?.received()
        if (signal) throw new Interrupted(signal, `Nothing was written: ${output} is unchanged.`)
        written += 1
        progress?.report(written)
        yield entry
      }
    }
    const text = waitlistFormats[format](counted())
    try {
      await (output === undefined ? writeAll(text, format !== 'csv') : writeAtomically(output, text))
    } finally {
      await progress?.stop()
    }
    return written
  })
}
