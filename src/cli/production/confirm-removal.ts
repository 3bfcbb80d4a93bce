import { resolve } from 'node:path'
import type { StateCounts } from '../../store/state-file.js'
import type { Removal, Store } from '../../store/store.js'
import { printMessage } from '../output/output.js'
import { Failure } from '../user-error.js'
import { existingDatabase, withDatabase } from './open-database.js'

/** What a command removes: what it is about, its records, and the sentence that says so before. */
type Plan<Subject> = { subject: Subject; removal: Removal; question: string }

/**
 * Removes records for good, after a confirmation: from the database, and from its log on the disk.
 * @param plan looks up what to remove
 * @returns what it was about, and how many records of each kind were removed
 * @throws UserError without a terminal and `--yes`; Failure if the answer is no, or if another process keeps the log
 */
export async function confirmRemoval<Subject>(
  { database, yes }: { database?: string; yes?: boolean },
  plan: (store: Store, name: string) => Promise<Plan<Subject>>,
): Promise<{ subject: Subject; removed: StateCounts }> {
  const { confirm } = await import('../output/confirm.js')
  const result = await withDatabase(database, async (store, name) => {
    const { subject, removal, question } = await plan(store, name)
    await confirm(question, yes)
    return { subject, removed: await store.remove(removal) }
  })
  await eraseLog(database)
  printMessage('hint: Backups that were made before still have the records, until they are deleted.')
  return result
}

/** Erases what was removed from the log of a SQLite file; PostgreSQL does so by itself. @throws Failure */
export async function eraseLog(database: string | undefined): Promise<void> {
  const { address } = await existingDatabase(database)
  if (address.kind === 'postgres') {
    printMessage(`hint: PostgreSQL overwrites removed rows later; at once: vacuumdb --full '${address.name}'`)
    return
  }
  const { emptyLog } = await import('../../store/sqlite/maintain.js')
  if (await emptyLog(resolve(address.file))) return
  throw new Failure(
    `The records are removed, but the log ${address.file}-wal still has them: another process reads an older state.`,
    'Run "npx dashboard-api database vacuum" when it has ended.',
  )
}
