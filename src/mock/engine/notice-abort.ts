/**
 * How many turns of at least a millisecond a limited outcome waits for the news that its request was aborted. A browser sends a
 * request although it is aborted in the same turn, and closes its connection within ten. On a busy machine a turn takes longer,
 * for this process as for the browser.
 */
const noticeTurns = 50

/** Resolves when a request was aborted, or when no news of that has come in time. */
export async function noticeAbort(signal: AbortSignal): Promise<void> {
  for (let turn = 0; turn < noticeTurns && !signal.aborted; turn += 1)
    await new Promise((resolve) => setTimeout(resolve, 1))
}
