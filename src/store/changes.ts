/** What tells whether answers that were given are still true. */
export type Changes = {
  /**
   * What is another after each commit, by this process or another, that came before the call.
   * @throws StoreUnavailableError once the store is closed
   */
  version(): string
  /**
   * What was changed by commits before the call, and after the one that a mark stands for.
   * @returns the teams whose projects were; undefined where it may be anything, as it is without a mark
   */
  since(mark?: string): Promise<{ mark: string; teams: string[] | undefined }>
}
