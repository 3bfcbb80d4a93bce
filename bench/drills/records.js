// Loads the records of a SQLite or PostgreSQL database before a drill, and reads them afterwards.
import { parseDatabaseAddress } from '../../dist/store/database-address.js'
import { openStore } from '../../dist/store/open/open-store.js'

/** Opens the store of a database. */
export const openDatabase = (address, options) => openStore(parseDatabaseAddress(address), options)

/** Creates the tables of a database, and loads records into it. */
export async function loadState(address, state) {
  const store = await openDatabase(address)
  await store.load(state)
  await store.close()
}

/** Reads all records of a database. @throws if it is missing, or if the full check finds damage */
export async function readRecords(address) {
  const store = await openDatabase(address, { mustExist: true, checkFully: true })
  try {
    return await store.export()
  } finally {
    await store.close()
  }
}
