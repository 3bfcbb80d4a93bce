import { resolve } from 'node:path'
import type { ProductionStore } from '../../store/production-store.js'
import type { StateCounts } from '../../store/state-file.js'
import type { Removal } from '../../store/store.js'
import { confirm } from '../output/confirm.js'
import { printMessage } from '../output/output.js'
import type { Result } from '../output/show.js'
import { Failure } from '../user-error.js'
import { databaseFailure, locateDatabase, withDatabase } from './open-database.js'

/** What a command removes: its records, the sentence that says so before, if any, and what it prints when they are removed. */
export type Removing = {
  removal: Removal
  question?: string
  done(removed: StateCounts): Result
}

/**
 * Removes records for good, after a confirmation where there is a question: from the database, and from its log on the disk.
 * @param plan looks up what to remove
 * @throws UserError without a terminal and `--yes`; Failure if the answer is no, or if another process keeps the log
 */
export async function confirmRemoval(
  { database, yes }: { database?: string; yes?: boolean },
  plan: (store: ProductionStore, name: string) => Promise<Removing>,
): Promise<Result> {
  let isRemoved = false
  const result = await withDatabase(database, async (store, name) => {
    const { removal, question, done } = await plan(store, name)
    if (question) await confirm(question, yes)
    const removed = await store.remove(removal)
    isRemoved = Object.values(removed).some((count) => count > 0)
    return done(removed)
  })
  if (!isRemoved) return result
  await eraseLog(database)
  printMessage('hint: Backups that were made before still have the records, until they are deleted.')
  return result
}

/** Erases what was removed from the log of a SQLite file; PostgreSQL does so by itself. @throws Failure */
async function eraseLog(database: string | undefined): Promise<void> {
  const { address } = await locateDatabase(database)
  if (address.kind === 'postgres') {
    printMessage(`hint: PostgreSQL overwrites removed rows later; at once: vacuumdb --full '${address.name}'`)
    return
  }
  const { emptyLog } = await import('../../store/sqlite/maintain.js')
  const isEmpty = await emptyLog(resolve(address.file)).catch((error) => {
    throw databaseFailure(error)
  })
  if (isEmpty) return
  throw new Failure(
    `The records are removed, but the log ${address.file}-wal still has them: another process reads an older state.`,
    'Run "npx dashboard-api database vacuum" when it has ended.',
  )
}
