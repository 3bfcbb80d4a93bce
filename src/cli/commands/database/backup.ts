import type { Command } from 'commander'
import { printMessage, show } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const backup = (database: Command) =>
  database
    .command('backup')
    .description('Copy what is committed at this moment to a new file, also while the server writes.')
    .argument('<file>', 'the file to make; it appears only once it is whole and was checked')
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', examples('npx dashboard-api database backup dashboard.backup.db'))
    .action(async (target, { database: file, json }) => {
      const { backUpDatabase } = await import('../../actions/back-up-database.js')
      const report = await backUpDatabase(file, target)
      printMessage(`Backed up ${report.database} with ${report.records.projects} projects.`)
      await show({ data: report, lines: [report.backup] }, json)
    })
