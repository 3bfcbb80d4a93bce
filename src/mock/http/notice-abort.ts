import { setImmediate, setTimeout } from 'node:timers/promises'

/**
 * How long a limited outcome waits for the news that its request was aborted, in milliseconds. A browser sends a request although
 * it is aborted in the same turn.
 */
const noticeMs = 50

/** Resolves when a request was aborted, or when no news of that has come in time. */
export async function noticeAbort(signal: AbortSignal): Promise<void> {
  await setTimeout(noticeMs, undefined, { signal }).catch(() => {})
  // If the process was busy, the time has passed, and the news is read after the timers.
  for (let turn = 0; turn < 2 && !signal.aborted; turn += 1) await setImmediate()
}
