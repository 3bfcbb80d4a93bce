import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { StateCounts, StateKind } from '../../store/state-file.js'
import { writeFailure } from '../file-failure.js'
import { databaseOption, examples, jsonOption, yesOption } from '../options.js'
import { printJson, printMessage, showTable } from '../output/output.js'
import { Failure, UserError } from '../user-error.js'
import { requireFile } from './database-tools.js'
import { databaseFailure, databaseLocation } from './open-database.js'

export const defineRestore = (restore: Command) =>
  restore
    .description('Replace the database with a backup; no process may use it. The old file is kept.')
    .argument('<file>', 'the backup, which stays as it is')
    .addOption(databaseOption())
    .addOption(yesOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api database backup before.db',
        'npx dashboard-api database restore before.db --yes',
      ),
    )
    .action(async (backup, { database: flag, yes, json }) => {
      const { confirm } = await import('../output/confirm.js')
      const { address } = await databaseLocation(flag)
      const report = await restoreDatabase(requireFile(address, 'restore', backup), backup, async (plan) => {
        if (!json) await showPlan(plan)
        await confirm(`This replaces ${plan.database} with ${plan.from}.`, yes)
      })
      printMessage(`Restored ${report.database}.${report.kept ? ` The old file is ${report.kept}.` : ''}`)
      if (json) printJson(report)
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
  const translate = (error: unknown) =>
    error instanceof DatabaseInUseError
      ? new Failure(
          `${error.message}.`,
          'Stop the server and every other process that uses it, then try again.',
        )
      : databaseFailure(writeFailure(database, error))
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
    throw translate(error)
  }
}

async function showPlan({ before, after }: Plan): Promise<void> {
  const columns = [
    { title: 'Kind', value: (kind: StateKind) => kind },
    { title: 'Before', value: (kind: StateKind) => (before ? String(before[kind]) : 'unknown') },
    { title: 'After', value: (kind: StateKind) => String(after[kind]) },
  ]
  await showTable({ data: undefined, columns, rows: Object.keys(after) as StateKind[], emptyText: '' })
}
