import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Check } from '../../store/sqlite/maintain.js'
import { writeFailure } from '../file-failure.js'
import { databaseOptions, examples } from '../options.js'
import { printMessage, show, showTable } from '../output/output.js'
import { Failure, UserError } from '../user-error.js'
import { databaseFailure, existingDatabase } from './open-database.js'
import { defineRestore } from './restore-command.js'

export const define = (database: Command) => {
  database
    .description("Maintain production's SQLite file: check, migrate, back up, restore, vacuum.")
    .addHelpText(
      'after',
      examples('npx dashboard-api database check', 'npx dashboard-api database backup dashboard.backup.db'),
    )

  databaseOptions(database.command('check'))
    .description('Check every page, index and reference; changes nothing. The server may be running.')
    .addHelpText('after', examples('npx dashboard-api database check'))
    .action(async ({ database: flag, json }) => {
      const { checkDatabase } = await import('../../store/sqlite/maintain.js')
      const report = await onFile(flag, checkDatabase)
      await showTable({ data: report, columns, rows: report.checks, emptyText: 'Nothing was checked.' }, json)
      if (report.ok) return
      throw new Failure(
        `The database ${report.database} is damaged.`,
        'Replace it with a backup: "npx dashboard-api database restore FILE".',
      )
    })

  databaseOptions(database.command('migrate'))
    .description('Migrate the file to the version of this program, as "serve" does at its start.')
    .addHelpText('after', examples('npx dashboard-api database migrate'))
    .action(async ({ database: flag, json }) => {
      const { migrateDatabase } = await import('../../store/sqlite/maintain.js')
      const report = await onFile(flag, migrateDatabase)
      const { database, from, to } = report
      printMessage(
        from === to
          ? `${database} already has version ${to}.`
          : `Migrated ${database} from version ${from} to ${to}.`,
      )
      await show({ data: report, lines: [String(to)] }, json)
    })

  databaseOptions(database.command('backup'))
    .description('Copy the committed data to a new file. The server may be running.')
    .argument('<file>', 'the new file; it appears only when it is complete and was checked')
    .addHelpText('after', examples('npx dashboard-api database backup dashboard.backup.db'))
    .action(async (backup, { database: flag, json }) => {
      const { backUp } = await import('../../store/sqlite/back-up.js')
      const report = await onFile(flag, async (file) => {
        if (existsSync(backup)) {
          throw new UserError(`${backup} exists already.`, 'Name a new file: a backup replaces nothing.')
        }
        const records = await backUp(file, resolve(backup)).catch((error) => {
          throw writeFailure(backup, error)
        })
        return { backup, records }
      })
      printMessage(`Backed up ${report.database} with ${report.records.projects} projects.`)
      await show({ data: report, lines: [backup] }, json)
    })

  defineRestore(database.command('restore'))

  databaseOptions(database.command('vacuum'))
    .description('Return the space of deleted records to the disk; writes of the server wait meanwhile.')
    .addHelpText('after', examples('npx dashboard-api database vacuum'))
    .action(async ({ database: flag, json }) => {
      const { vacuumDatabase } = await import('../../store/sqlite/maintain.js')
      const report = await onFile(flag, vacuumDatabase)
      printMessage(`${report.database}: ${report.before} bytes before, ${report.after} after.`)
      await show({ data: report, lines: [String(report.after)] }, json)
    })
}

/** Runs an action on the existing database file, and adds its path to the report. @throws UserError, Failure */
async function onFile<Report extends object>(
  flag: string | undefined,
  act: (file: string) => Promise<Report>,
): Promise<Report & { database: string }> {
  const database = await existingDatabase(flag)
  try {
    return { database, ...(await act(resolve(database))) }
  } catch (error) {
    throw databaseFailure(error)
  }
}

const columns = [
  { title: 'Check', value: ({ check }: Check) => check },
  { title: 'Result', value: ({ ok }: Check) => (ok ? 'ok' : 'FAILED') },
  { title: 'Found', value: ({ found }: Check) => found, shrinks: true },
]
