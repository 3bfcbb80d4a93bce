import { existsSync } from 'node:fs'
import { DatabaseRefusedError, DriverMissingError } from '../../store/database-refused.js'
import { type Store, StoreUnavailableError } from '../../store/store.js'
import { Failure, UserError } from '../user-error.js'
import { requireSettings } from './require-settings.js'

/**
 * Opens a database, runs an action on it, and closes it in any case.
 * @param flag the value of `--database`; if omitted, the environment or the default applies
 * @param options.create creates a missing database; without it a missing database is refused
 * @throws UserError for a missing or refused file, Failure if it cannot be read or written at the moment
 */
export async function withDatabase<Result>(
  flag: string | undefined,
  act: (store: Store, file: string) => Promise<Result>,
  { create = false } = {},
): Promise<Result> {
  const file = create ? await databasePath(flag) : await existingDatabase(flag)
  const { openSqliteStore } = await import('../../store/sqlite/sqlite-store.js')
  try {
    const store = await openSqliteStore(file)
    try {
      return await act(store, file)
    } finally {
      await store.close()
    }
  } catch (error) {
    throw databaseFailure(error)
  }
}

/** The path that `--database`, the environment or the default gives. @throws UserError */
export const databasePath = async (flag: string | undefined): Promise<string> =>
  (await requireSettings({ database: flag }, ['database'])).database

/** The path of a database that must exist. @throws UserError */
export async function existingDatabase(flag: string | undefined): Promise<string> {
  const file = await databasePath(flag)
  if (existsSync(file)) return file
  throw new UserError(
    `There is no database at ${file}.`,
    `Create one with "npx dashboard-api seed --database ${file}" or "npx dashboard-api serve", or choose another --database.`,
  )
}

/** Translates an error of the store for the user; returns any other error unchanged. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof DatabaseRefusedError || error instanceof DriverMissingError) {
    return new UserError(error.message)
  }
  if (error instanceof StoreUnavailableError) {
    return new Failure(error.message, 'Another process may be using it; try again.')
  }
  return error
}
