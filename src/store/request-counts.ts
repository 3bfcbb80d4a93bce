/** The requests of a client within a window of time, and how long the window lasts, in milliseconds. */
export type RequestCount = { requests: number; leftMs: number }

/** Counts the requests of clients over all processes that share a database. */
export type RequestCounts = {
  /**
   * Counts one request. A window begins with the first request after the last window of the key ended.
   * @param windowMs the length of a window, in milliseconds
   * @throws StoreUnavailableError
   */
  add(key: string, windowMs: number): Promise<RequestCount>
  /** Removes counts of windows that have ended, some thousands at most. Returns their number: 0 once none is left. */
  removePast(): Promise<number>
}
