import { DatabaseRefusedError } from './database-refused.js'

/** The table that the target of a copy has until the copy is complete. */
export const markTable = 'unfinished_copy'

/** The query that finds this table, whose name is its parameter. */
export const findMarkTable = {
  sqlite: 'SELECT name FROM sqlite_schema WHERE name = ?',
  postgres: 'SELECT relname AS name FROM pg_class WHERE oid = to_regclass($1)',
}

/**
 * Refuses the target of a copy that is not complete, so that no server starts with a part of the records.
 * @param found the rows of `findMarkTable`
 * @throws DatabaseRefusedError
 */
export function refuseUnfinishedCopy(name: string, found: unknown[]): void {
  if (found.length === 0) return
  const hint = 'Run "database copy" again: it continues.'
  throw new DatabaseRefusedError(name, 'it is the target of a copy that is not complete', hint)
}
