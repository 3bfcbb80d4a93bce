/**
 * A commit of this process that is known to be the only one between two versions, and to have changed nothing that an
 * answer shows but the projects of some teams.
 */
export type OwnCommit<Version = string> = { from: Version; to: Version; teams: string[] }

/** What tells whether answers that were given are still true. */
export type ChangeFeed = {
  /**
   * What is another after each commit, by this process or another, that came before the call.
   * @throws StoreUnavailableError once the store is closed
   */
  version(): string
  /**
   * What was changed by commits before the call, and after the one that a mark stands for.
   * @returns the teams whose projects were; undefined where it may be anything, as it is without a mark
   */
  since(mark?: string): Promise<{ cursor: string; teams: string[] | undefined }>
  /** Has one listener told of commits of this process, each before it is acknowledged; not of all it is known. */
  onOwnCommit?(listener: (own: OwnCommit) => void): void
}
