import type { FastifyBaseLogger } from 'fastify'
import type { ProductionStore } from '../../store/production-store.js'

/** A round that removes fewer records is the last one: further records get old meanwhile, and each round locks rows. */
const fullRound = 1_000

/**
 * Removes expired sessions, old entries of the audit log, and outdated counts of requests, now and at intervals. It only
 * keeps the tables small: expired sessions are refused in any case. A failure does not stop later rounds.
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
  // Not concurrent: a first removal of a large log may take longer than the interval.
  const remove = () => {
    last = last
      .then(removeAll)
      .catch((err) => log.warn({ err }, 'expired sessions or old entries of the audit log were not removed'))
  }
  remove()
  const timer = setInterval(remove, everyMs).unref()
  return {
    /** Stops after the running statement. */
    async stop(): Promise<void> {
      isStopped = true
      clearInterval(timer)
      await last
    },
  }
}
