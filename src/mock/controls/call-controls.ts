import type { CallFilter, FoundCalls } from '../log/find-calls.js'
import type { LoggedCall } from '../log/logged-call.js'
import type { Recorder } from './recorder.js'

/** @property timeout how long to wait, in milliseconds (default: 3,000) */
export type Awaited = { timeout?: number | undefined }

/** Shorter than the time limit of a test, in Vitest and Jest, so that the test fails with a reason. */
const defaultTimeout = 3000

// A test may replace it by a timer that it controls.
const { setTimeout: startTimer, clearTimeout: endTimer } = globalThis

/** The calls of targets, as the log has them. */
export function createCallControls({ parts: { log, targets } }: Recorder) {
  /** Loaded on demand. */
  const finder = async (target: string, filter: CallFilter) => {
    const name = targets.requested(target)
    const { findCalls } = await import('../log/find-calls.js')
    return () => findCalls(log, name, filter)
  }

  /** Looks again after each request, until the calls are as expected, or the time is over. */
  const lookUntil = async (
    look: () => FoundCalls,
    isExpected: (found: FoundCalls) => boolean,
    timeout: number,
  ) => {
    const first = look()
    if (isExpected(first)) return first
    return new Promise<FoundCalls>((resolve) => {
      const end = (found: FoundCalls) => {
        endTimer(timer)
        unsubscribe()
        resolve(found)
      }
      const timer = startTimer(() => end(look()), timeout)
      const unsubscribe = log.subscribe(() => {
        const found = look()
        if (isExpected(found)) end(found)
      })
    })
  }

  return {
    /** Returns the calls of a target, oldest first, with their parsed bodies. Aborted requests are none. */
    calls: async (target: string, filter: CallFilter = {}): Promise<LoggedCall[]> =>
      (await finder(target, filter))().calls,
    /**
     * Waits for a call of a target, and returns the first one: also one that came before, unless `since` is given.
     * @throws ControlError after the timeout, with the requests that came instead
     */
    async waitForRequest(
      target: string,
      { timeout = defaultTimeout, ...filter }: CallFilter & Awaited = {},
    ): Promise<LoggedCall> {
      const { calls, missed } = await lookUntil(
        await finder(target, filter),
        (found) => found.calls.length > 0,
        timeout,
      )
      if (calls[0]) return calls[0]
      throw missed()
    },
    /**
     * Expects a number of calls of a target, or at least one. Waits until there are as many.
     * @returns the calls
     * @throws ControlError after the timeout, with the calls that came instead: the nearest first, and how their bodies differ
     */
    async expectCalls(
      target: string,
      { times, timeout = defaultTimeout, ...filter }: CallFilter & Awaited & { times?: number } = {},
    ): Promise<LoggedCall[]> {
      const isExpected = ({ calls }: FoundCalls) =>
        times === undefined ? calls.length > 0 : calls.length === times
      const found = await lookUntil(await finder(target, filter), isExpected, timeout)
      if (isExpected(found)) return found.calls
      throw found.missed(times)
    },
  }
}
