import type { ProductionStore } from '../../store/production-store.js'

export type OldRemoval = {
  /** Stops, after the statement that is running. */
  stop(): Promise<void>
}

/** What one round removed. */
export type RemovedCounts = { sessions: number; auditEntries: number; requestCounts: number }

/**
 * Removes expired sessions, old entries of the audit log, and counts of requests that no limit needs any more, now and at
 * intervals. Expired sessions are refused in any case; this keeps the tables small.
 * @param options.everyMs the interval, in milliseconds
 * @param options.auditMs the age of the entries to remove, in milliseconds
 * @param options.onRemoved called after a round that removed something
 * @param options.onError called when a removal fails or is refused; the next one may succeed
 */
export function removeOld(
  store: Pick<ProductionStore, 'removeOld' | 'requestCounts'>,
  {
    everyMs,
    auditMs,
    onRemoved,
    onError,
  }: {
    everyMs: number
    auditMs: number
    onRemoved(counts: RemovedCounts): void
    onError(error: unknown): void
  },
): OldRemoval {
  let last: Promise<unknown> = Promise.resolve()
  let isStopped = false
  const removeAll = async () => {
    const total = { sessions: 0, auditEntries: 0, requestCounts: 0 }
    for (let removed = -1; removed !== 0 && !isStopped; ) {
      const requestCounts = (await store.requestCounts?.removePast()) ?? 0
      const { sessions, auditEntries } = await store.removeOld({ auditMs })
      removed = sessions + auditEntries + requestCounts
      total.sessions += sessions
      total.auditEntries += auditEntries
      total.requestCounts += requestCounts
    }
    if (total.sessions + total.auditEntries > 0) onRemoved(total)
  }
  const remove = () => {
    last = removeAll().catch(onError)
  }
  remove()
  const timer = setInterval(remove, everyMs).unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await last
    },
  }
}
