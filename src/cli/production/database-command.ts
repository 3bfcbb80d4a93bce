import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Check, Migration } from '../../store/production-store.js'
import { addCommand, addExamples } from '../define-command.js'
import { databaseOption, jsonOption } from '../options.js'
import { Failure } from '../user-error.js'
import { defineBackup } from './backup-command.js'
import { checkColumns } from './check-columns.js'
import { defineCopy } from './copy-command.js'
import { locateDatabase } from './open-database.js'
import { defineRestore } from './restore-command.js'
import { requireSqliteFile, withAuditEntry } from './sqlite-file.js'

export const define = (group: Command) => {
  addExamples(group, group, ['check', 'backup dashboard.backup.db'])
  const options = [databaseOption(), jsonOption()]

  addCommand(group, 'check', {
    about: 'Check the version and the content; changes nothing. The server may be running.',
    options,
    async run(given) {
      const { database, check } = await maintenanceOf(given.database)
      const report = await check()
      const failed = report.checks.find(({ ok }) => !ok)
      return {
        data: { database, ...report },
        table: { columns: checkColumns, rows: report.checks },
        failure: failed && checkFailure(database, failed),
      }
    },
  })

  addCommand(group, 'migrate', {
    about: 'Migrate the database to the version of this program, as "serve" does at its start.',
    options: [...options, ['--no-copy', 'make no copy of a SQLite file before']],
    notes: migrationNotes,
    async run({ database: flag, copy: keepsCopy }) {
      const { database, migrate } = await maintenanceOf(flag)
      const report: Migration = await migrate(keepsCopy)
      const { from, to, copy } = report
      const made = copy ? ` The copy made before is ${copy}.` : ''
      const message =
        from === to
          ? `${database} already has version ${to}.`
          : `Migrated ${database} from version ${from} to ${to}.${made}`
      return { message, data: { database, ...report }, lines: [String(to)] }
    },
  })

  defineBackup(group)
  defineRestore(group)

  addCommand(group, 'vacuum', {
    about: 'Return the space of deleted records to the disk; writes of the server wait meanwhile.',
    options,
    async run({ database }) {
      const { address } = await locateDatabase(database)
      const file = resolve(requireSqliteFile(address, 'vacuum'))
      const { vacuumDatabase } = await import('../../store/sqlite/maintain.js')
      const report = await withAuditEntry(file, { action: 'database.vacuum' }, () => vacuumDatabase(file))
      const message = `${address.name}: ${report.before} bytes before, ${report.after} after.`
      return { message, data: { database: address.name, ...report }, lines: [String(report.after)] }
    },
  })

  defineCopy(group)
}

const migrationNotes = `
A running server of the release before goes on working. Before a SQLite file is migrated, a copy is made beside it, whose
name is printed. A PostgreSQL database is migrated in one transaction, without a copy: make one with pg_dump.`

/** The meaning of a failed check, and what to do. Only a damaged database is to be replaced by a backup. */
function checkFailure(database: string, { check, found, hint: advice = '' }: Check): Failure {
  const [message, hint] = {
    version: [
      `This program does not work with the version of the database ${database}: ${found}.`,
      'Use the program that made it, or a newer one. The data are not damaged: do not replace them.',
    ],
    file: [`${database} is not a database of this program: ${found}.`, 'Choose another --database.'],
    schema: [
      `The schema of the database ${database} was changed: ${found}.`,
      'Find out who did it. A trigger may have changed records, too: replace the database with a backup from before.',
    ],
    requests: [`The service cannot use the database ${database}: ${found}.`, advice],
  }[check as string] ?? [
    `The database ${database} is damaged.`,
    'Replace it with a backup: "npx dashboard-api database restore FILE", or pg_restore for PostgreSQL.',
  ]
  return new Failure(message as string, hint)
}

/** The actions on a database of either kind, and its name. */
async function maintenanceOf(flag: string | undefined) {
  const { address, options } = await locateDatabase(flag)
  const { name: database } = address
  if (address.kind === 'postgres') {
    const { checkDatabase, migrateDatabase } = await import('../../store/postgres/maintain.js')
    const migrate = () => migrateDatabase(address, options)
    return { database, check: () => checkDatabase(address, options), migrate }
  }
  const { checkDatabase, migrateDatabase } = await import('../../store/sqlite/maintain.js')
  const file = resolve(address.file)
  const migrate = (keepsCopy: boolean) => migrateDatabase(file, { keepsCopy })
  return { database, check: () => checkDatabase(file), migrate }
}
