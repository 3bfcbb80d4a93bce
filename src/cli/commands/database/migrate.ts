import type { Command } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const migrate = (database: Command) =>
  database
    .command('migrate')
    .description('Bring the file to the version that this program knows, as "serve" does when it starts.')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api database migrate'))
    .action(async ({ database: file, json }) => {
      const { migrateDatabase } = await import('../../actions/maintain-database.js')
      const report = await migrateDatabase(file)
      const { from, to } = report
      printMessage(
        from === to
          ? `${report.database} has version ${to} already.`
          : `Brought ${report.database} from version ${from} to ${to}.`,
      )
      await show({ data: report, lines: [String(to)] }, json)
    })
