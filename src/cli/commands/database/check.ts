import type { Command } from 'commander'
import type { Check } from '../../../store/sqlite/maintain.js'
import { showTable } from '../../output/output.js'
import { Failure } from '../../user-error.js'
import { databaseOption, examples, jsonOption } from '../options.js'

const columns = [
  { title: 'Check', value: ({ check }: Check) => check },
  { title: 'Result', value: ({ ok }: Check) => (ok ? 'ok' : 'FAILED') },
  { title: 'Found', value: ({ found }: Check) => found, yields: true },
]

export const check = (database: Command) =>
  database
    .command('check')
    .description('Look at every page, index and reference, also while the server runs; changes nothing.')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api database check'))
    .action(async ({ database: file, json }) => {
      const { checkDatabase } = await import('../../actions/maintain-database.js')
      const report = await checkDatabase(file)
      await showTable({ data: report, columns, rows: report.checks, nothing: 'Nothing was checked.' }, json)
      if (report.ok) return
      throw new Failure(
        `The database ${report.database} is not sound.`,
        'Put a backup in its place with "npx dashboard-api database restore FILE".',
      )
    })
