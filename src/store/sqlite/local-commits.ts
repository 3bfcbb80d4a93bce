import type { OwnCommit } from '../change-feed.js'
import type { WalIndex } from './wal-index.js'

/**
 * Knows of the commits of this process's one writer what they changed, without a look-up: where there was no other.
 * @param tell told of each before who wrote is
 * @returns what is called before a transaction; what that gives is called after it, if it wrote something for certain
 */
export const knowOwnCommits =
  (walIndex: Pick<WalIndex, 'version' | 'commits'>, tell: (own: OwnCommit<number>) => void) => () => {
    const from = walIndex.version()
    const before = walIndex.commits()
    return (teams: string[]): void => {
      const to = walIndex.version()
      if (walIndex.commits() === before + 1) tell({ from, to, teams })
    }
  }
