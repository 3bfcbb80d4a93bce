import type { WaitlistEntry } from '../../store/state-file.js'
import type { Store, WaitlistFilter } from '../../store/store.js'
import { normalAddress } from './address.js'
import { withDatabase } from './database.js'
import { pagesOf } from './pages.js'

/** Does something with a part of the waitlist, newest first; entries are read as they are asked for. */
export const withWaitlist = <Result>(
  database: string | undefined,
  part: WaitlistFilter,
  act: (entries: AsyncIterable<WaitlistEntry>, store: Store) => Promise<Result>,
): Promise<Result> =>
  withDatabase(database, (store) =>
    act(
      pagesOf<WaitlistEntry>((after, limit) => store.waitlistAfter(after, limit, part)),
      store,
    ),
  )

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
