import { type Command, Option } from 'commander'
import { printMessage, writeAll } from '../../output/output.js'
import { pluralize } from '../../output/pluralize.js'
import { databaseOption, examples } from '../options.js'
import { partOf, partOptions } from './part.js'

const safety = `
With --output the file is written whole or not at all: on a failure the old one is as it was.
In CSV, a cell that begins with = + - @, a tab or a carriage return gets an apostrophe in front, so that no
spreadsheet runs it as a formula. JSON and NDJSON have the addresses as they are.
`

export const exportCommand = (waitlist: Command) =>
  partOptions(waitlist.command('export'))
    .description('Write the waitlist, newest first, to a file or to stdout.')
    .addOption(databaseOption())
    .addOption(
      new Option('--format <format>', 'csv (RFC 4180), json (an array) or ndjson (one entry a line)')
        .choices(['csv', 'json', 'ndjson'])
        .default('csv'),
    )
    .option('--output <file>', 'the file to write (default: stdout)')
    .addHelpText('after', safety)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist export --output waitlist.csv',
        'npx dashboard-api waitlist export --format ndjson --since 2026-01-01',
      ),
    )
    .action(async ({ database, format, output, ...part }) => {
      const { exportWaitlist } = await import('../../actions/export-waitlist.js')
      const count = await exportWaitlist({ database, format, output, part: partOf(part) }, writeAll)
      if (output !== undefined)
        printMessage(`Wrote ${pluralize(count, 'address', 'addresses')} to ${output}.`)
    })
