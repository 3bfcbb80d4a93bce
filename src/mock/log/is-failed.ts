import type { LogEntry } from './log-entry.js'

/**
 * Whether a request failed: with a status from 400, or without a response. A request that was left to another server has no
 * status in the log, and an aborted one has no failure.
 */
export const isFailed = ({ status, why, aborted }: Pick<LogEntry, 'status' | 'why' | 'aborted'>): boolean =>
  !aborted && (status >= 400 || (status === 0 && !isLeft(why)))

const isLeft = (why: string) => why === 'no handler' || why === 'passthrough'
