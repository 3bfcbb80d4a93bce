import { auditEntry } from '../../store/audit-entry.js'
import type { ProductionStore } from '../../store/production-store.js'
import { originOf } from '../http/request-origin.js'
import type { SignInEvent } from '../sign-in/sign-in-routes.js'

/**
 * Records failed sign-ins in the database and the log. Changes record their own entries. A failed sign-in needs no session:
 * the rate of sign-ins limits their number.
 * @param onError called when an entry could not be recorded
 */
export function createAuditTrail(
  store: Pick<ProductionStore, 'appendToAudit'>,
  onError: (error: unknown) => void,
) {
  const writing = new Set<Promise<void>>()
  return {
    /** Records a failed sign-in, without delaying its response. A successful one was recorded with its session. */
    onSignIn({ request, failure, reason }: SignInEvent): void {
      if (failure === undefined) return
      const event = { action: 'sign-in', outcome: 'failure', reason: reason ?? failure } as const
      const entry = auditEntry(originOf(request), { ...event, details: { fault: failure } })
      request.log.info({ audit: entry }, 'audit')
      const written = store.appendToAudit(entry).catch(onError)
      writing.add(written)
      void written.then(() => writing.delete(written))
    },
    /** Waits for all entries. */
    async close(): Promise<void> {
      await Promise.all(writing)
    },
  }
}
