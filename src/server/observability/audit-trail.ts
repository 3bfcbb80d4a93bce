import { auditEntry } from '../../store/audit-entry.js'
import type { ProductionStore } from '../../store/production-store.js'
import { originOf } from '../http/request-origin.js'
import type { SignInEvent } from '../sign-in/sign-in-routes.js'

/**
 * Records the sign-ins that fail: each in the database, and as a line of the log. Other entries are part of the change that
 * they are about. A sign-in can fail without a session: the rate of sign-ins limits their number.
 * @param onError called when one could not be recorded
 */
export function createAuditTrail(
  store: Pick<ProductionStore, 'appendToAudit'>,
  onError: (error: unknown) => void,
) {
  const writing = new Set<Promise<void>>()
  return {
    /** Records a sign-in that failed. No response waits for it. One that succeeded was recorded with its session. */
    onSignIn({ request, failure, reason }: SignInEvent): void {
      if (failure === undefined) return
      const event = { action: 'sign-in', outcome: 'failure', reason: reason ?? failure } as const
      const entry = auditEntry(originOf(request), { ...event, details: { fault: failure } })
      request.log.info({ audit: entry }, 'audit')
      const written = store.appendToAudit(entry).catch(onError)
      writing.add(written)
      void written.then(() => writing.delete(written))
    },
    /** Waits until all are written. */
    async close(): Promise<void> {
      await Promise.all(writing)
    },
  }
}
