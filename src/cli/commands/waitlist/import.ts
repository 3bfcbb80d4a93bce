import { type Command, Option } from 'commander'
import type { ImportReport } from '../../actions/import-waitlist.js'
import { printError, printMessage, show } from '../../output/output.js'
import { pluralize } from '../../output/pluralize.js'
import { printable } from '../../output/printable.js'
import { UserError } from '../../user-error.js'
import { databaseOption, examples, jsonOption } from '../options.js'

const about = `
CSV begins with a line that names its columns: "email", and "createdAt" where the time is known. JSON is an array,
NDJSON has an entry on each line; an entry is an address, or an object with "email" and perhaps "createdAt". What
"waitlist export" wrote can be read again in each format.
`

/** More lines than these are only counted, unless it is for \`--json\`. */
const shownFaults = 50

export const importCommand = (waitlist: Command) =>
  waitlist
    .command('import')
    .description('Add the addresses of a file: all of them, or none where a line is wrong.')
    .argument('<file>', 'csv, json or ndjson; - for standard input')
    .addOption(
      new Option('--format <format>', "what it holds (default: as the file's name ends)").choices([
        'csv',
        'json',
        'ndjson',
      ]),
    )
    .option('--skip-invalid', 'leave out the lines that are wrong, and add the others')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api waitlist export --output waitlist.csv',
        'npx dashboard-api waitlist import waitlist.csv',
        "printf 'email\\nada@example.com\\nno address\\n' | npx dashboard-api waitlist import - --format csv --skip-invalid",
      ),
    )
    .action(async (file, { json, ...options }) => {
      const { importWaitlist } = await import('../../actions/import-waitlist.js')
      const { imported, ...report } = await importWaitlist({ file, ...options })
      const { added, known, refused } = report
      for (const { place, reason } of refused.slice(0, shownFaults))
        printError(`${place}: ${printable(reason)}`)
      if (refused.length > shownFaults)
        printError(`and ${pluralize(refused.length - shownFaults, 'line')} more.`)
      await show({ data: report, lines: linesOf(report) }, json)
      if (!imported) {
        throw new UserError(
          `Nothing was added: ${pluralize(refused.length, 'line')} of ${file} ${refused.length === 1 ? 'was' : 'were'} refused.`,
          'Correct them, or add --skip-invalid to leave them out.',
        )
      }
      printMessage(
        `Added ${pluralize(added, 'address', 'addresses')}; ${pluralize(known, 'was', 'were')} known already.`,
      )
    })

const linesOf = ({ added, known, refused }: ImportReport) => [
  `Added\t${added}`,
  `Known\t${known}`,
  `Refused\t${refused.length}`,
]
