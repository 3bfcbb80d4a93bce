import { resolve } from 'node:path'
import * as maintain from '../../store/sqlite/maintain.js'
import { existingDatabase, onDatabase } from './database.js'

/** Runs something on the database that is there, and says which one it was. */
const on =
  <Report extends object>(act: (file: string) => Promise<Report>) =>
  (flag: string | undefined): Promise<Report & { database: string }> => {
    const database = existingDatabase(flag)
    return onDatabase(async () => ({ database, ...(await act(resolve(database))) }))
  }

/** Looks at every page, index and reference. @throws UserError, Failure */
export const checkDatabase = on(maintain.checkDatabase)
/** Brings it to the newest version. @throws UserError, Failure */
export const migrateDatabase = on(maintain.migrateDatabase)
/** Gives room back; lengths in bytes. @throws UserError, Failure */
export const vacuumDatabase = on(maintain.vacuumDatabase)
