import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { addCommand } from '../define-command.js'
import { refuseDatabaseFile, writeFailure } from '../files.js'
import { databaseOption, jsonOption, parser } from '../options.js'
import { pluralize } from '../output/pluralize.js'
import { Failure, UserError } from '../user-error.js'
import { backupsOf, parseRetention, type Retention, requireFolder } from './backups.js'
import { locateDatabase } from './open-database.js'
import { requireSqliteFile, withAuditEntry } from './sqlite-file.js'

const notes = `
With --to, the file is named after the database and the time in UTC. With --keep 24h,7d,4w, the newest backup of each of the
last 24 hours, 7 days and 4 weeks that have one stays; the other backups of this database are removed.`

export const defineBackup = (group: Command) =>
  addCommand(group, 'backup [file]', {
    about: 'Copy the committed data to a new file. The server may be running.',
    args: ['the new file; it appears only when it is complete and was checked'],
    options: [
      ['--to <folder>', 'make a file in this folder, named by the time'],
      ['--keep <counts>', 'remove older backups from the folder, except these', parseKeep],
      databaseOption(),
      jsonOption(),
    ],
    notes,
    examples: [
      'dashboard.backup.db',
      'mkdir backups && npx dashboard-api database backup --to backups --keep 24h,7d,4w',
    ],
    async run({ file, database: flag, to, keep }) {
      if ((file === undefined) === (to === undefined)) {
        throw new UserError('Expected either a file or --to.', 'Name a new file, or a folder with --to.')
      }
      if (keep && to === undefined) {
        throw new UserError('--keep needs --to.', 'Name the folder of the backups with --to.')
      }
      const { address } = await locateDatabase(flag)
      const database = requireSqliteFile(address, 'backup', file ?? join(to, 'dashboard.dump'))
      const { thinned, ...made } = await (file === undefined
        ? backUpToFolder(database, to, keep)
        : backUpToFile(database, file))
      return {
        message: [
          `Backed up ${database} with ${pluralize(made.records.projects, 'project')}.`,
          ...(thinned ? thinnedLines(thinned) : []),
        ],
        data: { database, ...made, ...thinned },
        lines: [made.backup],
        failure: thinned?.failed.length
          ? new Failure(
              `The backup is complete, but ${thinned.failed.join(', ')} could not be removed from ${to}.`,
              'Allow this user to write the folder.',
            )
          : undefined,
      }
    },
  })

const parseKeep = parser(parseRetention, 'counts of hours, days and weeks such as 24h,7d,4w')

/** @throws UserError, Failure */
async function backUpToFile(database: string, backup: string) {
  if (existsSync(backup)) throw existsAlready(backup)
  refuseDatabaseFile(backup)
  const { backUp } = await import('../../store/sqlite/copy-database.js')
  const [file, target] = [resolve(database), resolve(backup)]
  const records = await withAuditEntry(file, { action: 'database.backup', target }, () =>
    backUp(file, target),
  ).catch((error) => {
    throw error.code === 'EEXIST' ? existsAlready(backup) : writeFailure(backup, error)
  })
  return { backup, records, thinned: undefined }
}

/** Another process made a file of this name meanwhile, or long before. */
class ExistsAlready extends UserError {}
const existsAlready = (backup: string) =>
  new ExistsAlready(`${backup} exists already.`, 'Name a new file: a backup replaces nothing.')

/** Backs up to a file named by the time, and thins out the older ones once it is complete. @throws UserError, Failure */
async function backUpToFolder(database: string, folder: string, keep?: Retention) {
  await requireFolder(folder)
  const backups = backupsOf(database, folder)
  for (let time = Date.now(); ; time += 1) {
    try {
      const made = await backUpToFile(database, backups.fileAt(time))
      return { ...made, thinned: keep && (await backups.thinOut(time, keep)) }
    } catch (error) {
      // Another run began in the same millisecond.
      if (!(error instanceof ExistsAlready)) throw error
    }
  }
}

type Thinned = { kept: string[]; removed: string[]; later: string[] }

const thinnedLines = ({ kept, removed, later }: Thinned): string[] => [
  `Kept ${pluralize(kept.length, 'backup')}, removed ${removed.length}.`,
  ...removed.map((name) => `Removed ${name}`),
  ...(later.length > 0
    ? [
        `${pluralize(later.length, 'backup')} of a later time than now: kept, and not counted. Check the clock of this machine.`,
      ]
    : []),
]
