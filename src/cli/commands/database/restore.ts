import type { Command } from 'commander'
import type { StateKind } from '../../../store/state-file.js'
import type { RestorePlan } from '../../actions/restore-database.js'
import { printJson, printMessage, showTable } from '../../output/output.js'
import { databaseOption, examples, jsonOption } from '../options.js'

export const restore = (database: Command) =>
  database
    .command('restore')
    .description("Put a backup in the database's place; no server may have it open. The old file is kept.")
    .argument('<file>', 'the backup, which stays as it is')
    .addOption(databaseOption())
    .option('--yes', 'do not ask')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api database backup before.db',
        'npx dashboard-api database restore before.db --yes',
      ),
    )
    .action(async (from, { database: file, yes, json }) => {
      const [{ restoreDatabase }, { confirm }] = await Promise.all([
        import('../../actions/restore-database.js'),
        import('../../output/confirm.js'),
      ])
      const report = await restoreDatabase(file, from, async (plan) => {
        if (!json) await showPlan(plan)
        await confirm(`This puts ${plan.from} in the place of ${plan.database}.`, yes)
      })
      printMessage(`Restored ${report.database}.${report.kept ? ` The old file is ${report.kept}.` : ''}`)
      if (json) printJson(report)
    })

async function showPlan({ before, after }: RestorePlan): Promise<void> {
  const columns = [
    { title: 'Kind', value: (kind: StateKind) => kind },
    { title: 'Before', value: (kind: StateKind) => (before ? String(before[kind]) : 'unknown') },
    { title: 'After', value: (kind: StateKind) => String(after[kind]) },
  ]
  await showTable({ data: undefined, columns, rows: Object.keys(after) as StateKind[], nothing: '' })
}
