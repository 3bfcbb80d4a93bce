// How long something lasts, and for whom, in the words of every interface.

/** The uses of a forced outcome or response unless others are named. */
export const defaultTimes = 1

/** How long something lasts that has no number of requests. */
export const untilCleared = 'until cleared'

/** A caller without a persona. */
export const signedOut = 'signed out'

/** The caller of a name: null for one that is signed out. */
export const callerNamed = <Id>(id: Id): Id | null => (id === signedOut ? null : id)

/** E.g. `next request, for acme-owner`, `next 3 requests`, `until cleared`. */
export const limitText = ({ times, session }: { times?: unknown; session?: unknown }): string =>
  [
    times == null ? untilCleared : times === 1 ? 'next request' : `next ${times} requests`,
    session !== undefined && `for ${session}`,
  ]
    .filter(Boolean)
    .join(', ')
