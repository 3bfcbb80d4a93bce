import { type Command, Option } from 'commander'
import { databaseOption, examples } from '../options.js'
import { printMessage } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import type { WaitlistFormat } from './export-formats.js'
import { exportRows } from './export-rows.js'
import { readDatabase } from './open-database.js'
import { filterEntries, filterOptions } from './waitlist-filter.js'

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
      const { waitlistFormats } = await import('./export-formats.js')
      const written = await readDatabase(database, (store) =>
        // Addresses that are added during the export are not in it.
        exportRows(filterEntries(store, filter), {
          unit: 'addresses',
          format: waitlistFormats[format as WaitlistFormat],
          isJson: format !== 'csv',
          output,
        }),
      )
      if (output !== undefined)
        printMessage(`Wrote ${pluralize(written, 'address', 'addresses')} to ${output}.`)
    })
