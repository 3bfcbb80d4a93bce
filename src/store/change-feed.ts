/** Lets a cache check whether data that was read from the store is still valid. */
export type ChangeFeed = {
  /**
   * Changes with every commit, by any process, that ended before the call. It may also change without a commit. Missing
   * where it cannot be told without asking the database: then `since` is called each time.
   * @throws StoreUnavailableError once the store is closed
   */
  version?(): string
  /**
   * Reads what the commits after a cursor changed, up to those that ended before the call.
   * @returns the next cursor, and the teams whose projects changed; undefined where anything may have changed, as
   *   without a cursor
   */
  since(cursor?: string): Promise<{ cursor: string; teams: string[] | undefined }>
}
