import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { StateCounts, StateKind } from '../../store/state-file.js'
import { addCommand } from '../define-command.js'
import { writeFailure } from '../file-failure.js'
import { databaseOption, jsonOption, yesOption } from '../options.js'
import { showTable } from '../output/output.js'
import { Failure, UserError } from '../user-error.js'
import { requireFile } from './database-tools.js'
import { databaseFailure, databaseLocation } from './open-database.js'

export const defineRestore = (group: Command) =>
  addCommand(group, 'restore <file>', {
    about: 'Replace the database with a backup; no process may use it. The old file is kept.',
    args: ['the backup, which stays as it is'],
    options: [databaseOption(), yesOption(), jsonOption()],
    examples: ['npx dashboard-api database backup before.db', 'before.db --yes'],
    async run({ file: backup, database: flag, yes, json }) {
      const { confirm } = await import('../output/confirm.js')
      const { address } = await databaseLocation(flag)
      const report = await restoreDatabase(requireFile(address, 'restore', backup), backup, async (plan) => {
        if (!json) await showPlan(plan)
        await confirm(`This replaces ${plan.database} with ${plan.from}.`, yes)
      })
      const message = `Restored ${report.database}.${report.kept ? ` The old file is ${report.kept}.` : ''}`
      return { message, data: report }
    },
  })

/** The record counts; `before` is missing if there is no database, or an unreadable one. */
type Plan = { database: string; from: string; before?: StateCounts; after: StateCounts }
/** `kept` is the path of the old file. */
type Report = Plan & { kept?: string }

/**
 * Replaces a database that no process has open, and keeps the old file beside it.
 * @param confirmPlan called before anything changes; it throws to cancel
 * @throws UserError for an invalid backup; Failure if the database is in use
 */
async function restoreDatabase(
  database: string,
  from: string,
  confirmPlan: (plan: Plan) => Promise<void>,
): Promise<Report> {
  if (!existsSync(from)) throw new UserError(`There is no backup at ${from}.`, 'Name the file of a backup.')
  if (resolve(from) === resolve(database)) {
    throw new UserError(`${from} is the database itself.`, 'Name the file of a backup.')
  }
  const { DatabaseInUseError, prepareRestore } = await import('../../store/sqlite/prepare-restore.js')
  try {
    const restore = await prepareRestore(resolve(database), resolve(from))
    try {
      const { before, after } = restore
      const plan = { database, from, ...(before && { before }), after }
      await confirmPlan(plan)
      const kept = await restore.commit()
      return { ...plan, ...(kept !== undefined && { kept }) }
    } finally {
      await restore.end()
    }
  } catch (error) {
    if (!(error instanceof DatabaseInUseError)) throw databaseFailure(writeFailure(database, error))
    const hint = 'Stop the server and every other process that uses it, then try again.'
    throw new Failure(`${error.message}.`, hint)
  }
}

async function showPlan({ before, after }: Plan): Promise<void> {
  const columns = [
    { title: 'Kind', value: (kind: StateKind) => kind },
    { title: 'Before', value: (kind: StateKind) => (before ? String(before[kind]) : 'unknown') },
    { title: 'After', value: (kind: StateKind) => String(after[kind]) },
  ]
  await showTable({ data: undefined, columns, rows: Object.keys(after) as StateKind[] })
}
