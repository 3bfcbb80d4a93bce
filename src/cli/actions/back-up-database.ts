import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { backUp } from '../../store/sqlite/back-up.js'
import type { StateCounts } from '../../store/state-file.js'
import { UserError } from '../user-error.js'
import { existingDatabase, onDatabase } from './database.js'
import { fileFailure } from './file-failure.js'

export type BackupReport = { database: string; backup: string; records: StateCounts }

/** Copies a database, which may be in use, to a new file. @throws UserError where there is one already */
export function backUpDatabase(flag: string | undefined, target: string): Promise<BackupReport> {
  const database = existingDatabase(flag)
  if (existsSync(target)) {
    throw new UserError(`${target} is there already.`, 'Name a file that is not: a backup replaces nothing.')
  }
  return onDatabase(async () => {
    const records = await backUp(resolve(database), resolve(target)).catch((error) => {
      throw fileFailure(target, error)
    })
    return { database, backup: target, records }
  })
}
