import type { FastifyBaseLogger } from 'fastify'
import type { ProductionStore } from '../../store/production-store.js'

/** A round that removes fewer was the last one: others get old meanwhile, and each round locks what requests need. */
const fullRound = 1_000

/**
 * Removes expired sessions, old entries of the audit log, and counts of requests that no limit needs any more, now and at
 * intervals. Expired sessions are refused in any case; this keeps the tables small. After a failure the next may succeed.
 * @param options.everyMs the interval, in milliseconds
 * @param options.auditMs the age of the entries to remove, in milliseconds
 */
export function removeOld(
  store: Pick<ProductionStore, 'removeOld' | 'requestCounts'>,
  { everyMs, auditMs, log }: { everyMs: number; auditMs: number; log: FastifyBaseLogger },
) {
  let last: Promise<unknown> = Promise.resolve()
  let isStopped = false
  const removeAll = async () => {
    const total = { sessions: 0, auditEntries: 0, requestCounts: 0 }
    for (let isDone = false; !isDone && !isStopped; ) {
      const requestCounts = (await store.requestCounts?.removePast()) ?? 0
      const { sessions, auditEntries } = await store.removeOld({ auditMs })
      isDone = sessions + auditEntries + requestCounts < fullRound
      total.sessions += sessions
      total.auditEntries += auditEntries
      total.requestCounts += requestCounts
    }
    if (total.sessions + total.auditEntries === 0) return
    log.info(total, 'expired sessions and old entries of the audit log were removed')
  }
  // One after the other: a first removal of a large log takes longer than the interval.
  const remove = () => {
    last = last
      .then(removeAll)
      .catch((err) => log.warn({ err }, 'expired sessions or old entries of the audit log were not removed'))
  }
  remove()
  const timer = setInterval(remove, everyMs).unref()
  return {
    /** Stops, after the statement that is running. */
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(timer)
      await last
    },
  }
}
