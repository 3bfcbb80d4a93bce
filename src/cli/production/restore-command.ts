import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { StateCounts, StateKind } from '../../store/state-file.js'
import { addCommand } from '../define-command.js'
import { isFolder, writeFailure } from '../files.js'
import { databaseOption, jsonOption, yesOption } from '../options.js'
import { confirm } from '../output/confirm.js'
import { ignoreClosedOutput } from '../output/output.js'
import { show, type TableData } from '../output/show.js'
import { Failure, UserError } from '../user-error.js'
import { locateDatabase } from './open-database.js'
import { requireSqliteFile } from './sqlite-file.js'

export const defineRestore = (group: Command) =>
  addCommand(group, 'restore <file>', {
    about: 'Replace the database with a backup; no process may use it. The old file is kept.',
    args: ['the backup, which stays as it is'],
    options: [databaseOption(), yesOption(), jsonOption()],
    examples: ['npx dashboard-api database backup before.db', 'before.db --yes'],
    async run({ file: from, database: flag, yes, json }) {
      const { address } = await locateDatabase(flag, { create: true })
      const database = requireSqliteFile(address, 'restore', from)
      if (!existsSync(from) || isFolder(from)) {
        throw new UserError(`There is no backup at ${from}.`, 'Name the file of a backup.')
      }
      ignoreClosedOutput()
      const { DatabaseInUseError, restoreFile } = await import('../../store/sqlite/restore-file.js')
      const restored = await restoreFile(resolve(database), resolve(from), async ({ before, after }) => {
        if (!json) await show({ table: countsTable(before, after) })
        await confirm(`This replaces ${database} with ${from}.`, yes)
      }).catch((error) => {
        if (!(error instanceof DatabaseInUseError)) throw writeFailure(database, error)
        const hint = 'Stop the server and every other process that uses it, then try again.'
        throw new Failure(`${error.message}.`, hint)
      })
      const message = `Restored ${database}.${restored.kept ? ` The old file is ${restored.kept}.` : ''}`
      return { message, data: { database, from, ...restored } }
    },
  })

/** @param before undefined if there is no database, or an unreadable one */
const countsTable = (before: StateCounts | undefined, after: StateCounts): TableData => ({
  columns: {
    Kind: (kind: StateKind) => kind,
    Before: (kind: StateKind) => before?.[kind] ?? 'unknown',
    After: (kind: StateKind) => after[kind],
  },
  rows: Object.keys(after),
})
