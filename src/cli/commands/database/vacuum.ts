import type { Command } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const vacuum = (database: Command) =>
  database
    .command('vacuum')
    .description("Give back the room of what was removed; the server's writes wait meanwhile.")
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api database vacuum'))
    .action(async ({ database: file, json }) => {
      const { vacuumDatabase } = await import('../../actions/maintain-database.js')
      const report = await vacuumDatabase(file)
      printMessage(`${report.database}: ${report.before} bytes before, ${report.after} after.`)
      await show({ data: report, lines: [String(report.after)] }, json)
    })
