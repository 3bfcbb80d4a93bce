/** Counts the requests of each session that are under way. */
export type PendingLimit = {
  /** Counts a request until `end` is called. Returns undefined, and counts nothing, if the session has too many. */
  begin(session: string): { end(): void } | undefined
}

/** Limits the requests of one session that are under way, so that one user's flood is their own. */
export function createPendingLimit(max: number): PendingLimit {
  const pending = new Map<string, number>()
  return {
    begin(session) {
      const count = pending.get(session) ?? 0
      if (count >= max) return undefined
      pending.set(session, count + 1)
      return {
        end() {
          const left = (pending.get(session) ?? 1) - 1
          if (left > 0) pending.set(session, left)
          else pending.delete(session)
        },
      }
    },
  }
}
