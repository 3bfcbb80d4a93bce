import type { CallFilter, CallFinder, FoundCalls } from '../log/find-calls.js'
import type { LoggedCall } from '../log/logged-call.js'
import { ControlError } from '../state/control-error.js'
import type { Recorder } from './recorder.js'

/** @property timeout how long to wait, in milliseconds: from 0 to 300,000. Default: 3,000 */
export type Awaited = { timeout?: number | undefined }

/** Shorter than the time limit of a test, in Vitest and Jest, so that the test fails with a reason. */
const defaultTimeout = 3000

/** The calls of targets, as the log has them. */
export function createCallControls({ parts: { log, targets, waits } }: Recorder) {
  // Both are loaded on demand.
  const check = async (given: unknown, ...others: string[]) => {
    const { callFields, checkFilter } = await import('../log/check-filter.js')
    checkFilter(given, [...callFields, ...others])
  }
  const finder = async (target: string, filter: CallFilter) => {
    const name = targets.requested(target)
    const { createFinder } = await import('../log/find-calls.js')
    return createFinder(log, name, filter)
  }

  /** Looks again after each request that matters, until the calls are as expected, or the time is over. */
  const lookUntil = async (
    { look, concerns }: CallFinder,
    isExpected: (found: FoundCalls) => boolean,
    timeout: number,
    signal?: AbortSignal,
  ) => {
    const first = look()
    if (isExpected(first)) return first
    const closed = waits.closed()
    const ended = signal ? AbortSignal.any([signal, closed]) : closed
    // The fake timers of a test stop setTimeout, but not this signal, which lets a process end.
    const timeUp = AbortSignal.timeout(timeout)
    const { clearTimeout: endTimer } = globalThis
    const keepsProcess = setTimeout(() => {}, timeout)
    return new Promise<FoundCalls>((resolve, reject) => {
      const settle = () => {
        endTimer(keepsProcess)
        unsubscribe()
        timeUp.removeEventListener('abort', giveUp)
        ended.removeEventListener('abort', abort)
      }
      const end = (found: FoundCalls) => {
        settle()
        resolve(found)
      }
      const abort = () => {
        settle()
        const reason = closed.aborted ? 'the mock was closed' : 'it was aborted'
        reject(new ControlError(`The wait has ended, as ${reason}.`, [], 503))
      }
      const giveUp = () => end(look())
      const unsubscribe = log.subscribe((entry) => {
        if (!concerns(entry)) return
        const found = look()
        if (isExpected(found)) end(found)
      })
      timeUp.addEventListener('abort', giveUp)
      ended.addEventListener('abort', abort)
      if (ended.aborted) abort()
    })
  }

  return {
    /** Returns the calls of a target, oldest first, with their parsed bodies. Aborted requests are no calls. */
    async calls(target: string, filter: CallFilter = {}): Promise<LoggedCall[]> {
      await check(filter)
      return (await finder(target, filter)).look().calls
    },
    /**
     * Waits for a call to a target, and returns the first one: also one that came before, unless `since` is given.
     * @param signal ends the wait, as the mock does when it is closed
     * @throws ControlError after the timeout, with the requests that came instead, and when the wait was ended
     */
    async waitForRequest(
      target: string,
      given: CallFilter & Awaited = {},
      signal?: AbortSignal,
    ): Promise<LoggedCall> {
      await check(given, 'timeout')
      const { timeout = defaultTimeout, ...filter } = given
      const { calls, missed } = await lookUntil(
        await finder(target, filter),
        (found) => found.calls.length > 0,
        timeout,
        signal,
      )
      if (calls[0]) return calls[0]
      throw missed()
    },
    /**
     * Expects a number of calls to a target, or at least one. Waits until there are as many.
     * @param signal ends the wait, as the mock does when it is closed
     * @returns the calls
     * @throws ControlError after the timeout, with the calls that came instead: the nearest first, and how their bodies differ;
     *   and when the wait was ended
     */
    async expectCalls(
      target: string,
      given: CallFilter & Awaited & { times?: number } = {},
      signal?: AbortSignal,
    ): Promise<LoggedCall[]> {
      await check(given, 'times', 'timeout')
      const { times, timeout = defaultTimeout, ...filter } = given
      const isExpected = ({ calls }: FoundCalls) =>
        times === undefined ? calls.length > 0 : calls.length === times
      const found = await lookUntil(await finder(target, filter), isExpected, timeout, signal)
      if (isExpected(found)) return found.calls
      throw found.missed(times)
    },
  }
}
