import { createSqlStore } from '../../../src/store/sql/sql-store.js'
import { openReopeningDatabase } from '../../../src/store/sqlite/reopening-database.js'

/** Opens a store with what is imported already: the processes that import this file cannot import more later. */
export const openSqliteStore = async (file: string) => createSqlStore(await openReopeningDatabase(file), {})
