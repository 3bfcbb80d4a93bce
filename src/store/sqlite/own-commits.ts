import type { WalIndex } from './wal-index.js'

/** A commit of this process: between the versions before and after it there was no other. */
export type OwnCommit = {
  from: number
  to: number
  /** The teams whose projects it changed, and nothing else that an answer may show. */
  teams: string[]
}

/**
 * Knows of the commits of this process's one writer what they changed, without a look-up: where there was no other.
 * @param tell told of each before who wrote is
 * @returns what is called before a transaction; what that gives is called after it, if it wrote something for certain
 */
export const knowOwnCommits =
  (walIndex: Pick<WalIndex, 'version' | 'commits'>, tell: (own: OwnCommit) => void) => () => {
    const from = walIndex.version()
    const before = walIndex.commits()
    return (teams: string[]): void => {
      const to = walIndex.version()
      if (walIndex.commits() === before + 1) tell({ from, to, teams })
    }
  }
