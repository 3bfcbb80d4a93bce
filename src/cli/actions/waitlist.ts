import type { WaitlistEntry } from '../../store/state.js'
import { normalAddress } from './address.js'
import { withDatabase } from './database.js'

/** The waitlist, newest first. */
export const listWaitlist = (database: string | undefined): Promise<WaitlistEntry[]> =>
  withDatabase(database, (store) => store.listWaitlist())

/** Adds an address; `added` is false where it was there already. */
export async function addToWaitlist(database: string | undefined, address: string) {
  const email = normalAddress(address)
  const createdAt = new Date().toISOString()
  const added = await withDatabase(database, (store) => store.addToWaitlist({ email, createdAt }))
  return { email, added }
}

/** Removes an address; `removed` is false where it was not there. */
export async function removeFromWaitlist(database: string | undefined, address: string) {
  const email = normalAddress(address)
  const removed = await withDatabase(database, (store) => store.removeFromWaitlist(email))
  return { email, removed }
}
