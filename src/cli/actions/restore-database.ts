import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseInUseError, prepareRestore } from '../../store/sqlite/prepare-restore.js'
import type { StateCounts } from '../../store/state-file.js'
import { Failure, UserError } from '../user-error.js'
import { databasePath, onDatabase } from './database.js'
import { fileFailure } from './file-failure.js'

/** What a restore changes; `before` is not there where there is no database, or one that cannot be read. */
export type RestorePlan = { database: string; from: string; before?: StateCounts; after: StateCounts }
/** `kept` is where the old file is now. */
export type RestoreReport = RestorePlan & { kept?: string }

/**
 * Puts a backup in the place of a database that no process has open, and keeps the old file beside it.
 * @param agree asked before anything changes; throws where the answer is no
 * @throws UserError for a backup that is none; Failure where the database is in use
 */
export function restoreDatabase(
  flag: string | undefined,
  from: string,
  agree: (plan: RestorePlan) => Promise<void>,
): Promise<RestoreReport> {
  const database = databasePath(flag)
  if (!existsSync(from)) throw new UserError(`There is no backup at ${from}.`, 'Name the file of a backup.')
  if (resolve(from) === resolve(database)) {
    throw new UserError(`${from} is the database itself.`, 'Name the file of a backup.')
  }
  return onDatabase(async () => {
    const restore = await prepareRestore(resolve(database), resolve(from)).catch((error) => {
      throw inUse(error) ?? fileFailure(database, error)
    })
    try {
      const { before, after } = restore
      const plan = { database, from, ...(before && { before }), after }
      await agree(plan)
      const kept = await restore.commit().catch((error) => {
        throw fileFailure(database, error)
      })
      return { ...plan, ...(kept !== undefined && { kept }) }
    } finally {
      await restore.end()
    }
  })
}

const inUse = (error: unknown) =>
  error instanceof DatabaseInUseError
    ? new Failure(`${error.message}.`, 'End the server, and what else uses it, then run the command again.')
    : undefined
