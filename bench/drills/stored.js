// What a database holds, at an address of either kind: put in before a drill, and looked at afterwards.
import { parseDatabaseAddress } from '../../dist/store/database-address.js'
import { openStore } from '../../dist/store/open/open-store.js'

/** Opens the store of a database. */
export const openDatabase = (address, options) => openStore(parseDatabaseAddress(address), options)

/** Loads records into a database, which gets its tables. */
export async function loadState(address, state) {
  const store = await openDatabase(address)
  await store.load(state)
  await store.close()
}

/** All records of a database. @throws where it is missing, or damaged by the fullest check */
export async function storedIn(address) {
  const store = await openDatabase(address, { mustExist: true, checkFully: true })
  try {
    return await store.export()
  } finally {
    await store.close()
  }
}
