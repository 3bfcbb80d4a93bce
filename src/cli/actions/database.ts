import { existsSync } from 'node:fs'
import { DriverMissingError } from '../../store/sqlite/driver.js'
import { DatabaseRefusedError, openSqliteStore } from '../../store/sqlite/sqlite-store.js'
import { type Store, StoreUnavailableError } from '../../store/store.js'
import { Failure, UserError } from '../user-error.js'
import { requireSettings } from './settings.js'

/**
 * Runs something on a database, and closes it in any case.
 * @param flag the file as `--database` names it; left out, the environment's or the default one
 * @param options.create make the database where there is none; otherwise that is refused, and no file appears
 * @throws UserError for a file that is missing or refused, Failure where it cannot be read or written for now
 */
export async function withDatabase<Result>(
  flag: string | undefined,
  act: (store: Store, file: string) => Promise<Result>,
  { create = false } = {},
): Promise<Result> {
  const file = create ? databasePath(flag) : existingDatabase(flag)
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

/** The file that `--database`, the environment or the default names. @throws UserError */
export const databasePath = (flag: string | undefined): string =>
  requireSettings({ database: flag }, ['database']).database

/** The same for a file that has to be there. @throws UserError */
export function existingDatabase(flag: string | undefined): string {
  const file = databasePath(flag)
  if (existsSync(file)) return file
  throw new UserError(
    `There is no database at ${file}.`,
    `Make one with "npx dashboard-api seed --database ${file}" or "npx dashboard-api serve", or name another --database.`,
  )
}

/** Runs something on a database file; what the store refuses is said in the command line's words. */
export async function onDatabase<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw databaseFailure(error)
  }
}

/** What the store refuses, in the command line's words; any other error as it is. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof DatabaseRefusedError || error instanceof DriverMissingError) {
    return new UserError(error.message)
  }
  if (error instanceof StoreUnavailableError) {
    return new Failure(error.message, 'Another process may be at work on it; try again.')
  }
  return error
}
