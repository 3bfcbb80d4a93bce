import { createSqlStore } from '../../../src/store/sql/sql-store.js'
import { openSqliteDatabase } from '../../../src/store/sqlite/sqlite-database.js'

/** Opens a store with modules that are imported already: the processes that use this file cannot import more later. */
export const openSqliteStore = async (file: string) => createSqlStore(await openSqliteDatabase(file), {})
