import { createSqlStore } from '../../../src/store/sql/sql-store.js'
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.js'

/** Opens a store with what is imported already: the processes that import this file cannot import more later. */
export const openSqliteStore = async (file: string) => createSqlStore(await openSqliteDatabase(file), {})
