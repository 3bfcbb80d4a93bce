import { auditEntry } from '../../store/audit-entry.js'
import type { AuditEntry, Origin } from '../../store/audit-log.js'
import type { ProductionStore } from '../../store/production-store.js'
import { originOf } from '../http/request-origin.js'
import type { SignInEvent } from '../sign-in/sign-in-routes.js'
import { createFailureLimit } from './failure-limit.js'

type AuditTrailOptions = {
  /** Writes a line of the log. */
  log(fields: { audit: AuditEntry }, message: string): void
  /** Called when a failed sign-in could not be recorded. */
  onError(error: unknown): void
}

/**
 * The audit log of a server: each entry is in the database, and a line of the log. Only failures are limited in number:
 * nobody needs a session to make them.
 */
export function createAuditTrail(
  store: Pick<ProductionStore, 'appendToAudit'>,
  { log, onError }: AuditTrailOptions,
) {
  const writing = new Set<Promise<void>>()
  /** Records a failure. No response waits for it. */
  const recordFailure = (
    origin: Origin,
    about: Pick<AuditEntry, 'reason' | 'details'>,
    write: AuditTrailOptions['log'],
  ) => {
    const entry = auditEntry(origin, { action: 'sign-in', outcome: 'failure', ...about })
    write({ audit: entry }, 'audit')
    const written = store.appendToAudit(entry).catch(onError)
    writing.add(written)
    void written.then(() => writing.delete(written))
  }
  const limit = createFailureLimit(({ failures, ...source }) => {
    const reason = 'more failures than are recorded one by one'
    recordFailure({ via: 'signIn', ...source }, { reason, details: { failures } }, log)
  })
  return {
    /** Records a sign-in that failed. One that succeeded was recorded with its session. */
    onSignIn({ request, failure, reason }: SignInEvent): void {
      if (failure === undefined) return
      const origin = originOf(request)
      if (!limit.isRecorded(origin.source)) return
      const about = { reason: reason ?? failure, details: { fault: failure } }
      recordFailure(origin, about, (fields, message) => request.log.info(fields, message))
    },
    /** Records what is only counted so far, and waits until it is written. */
    async close(): Promise<void> {
      limit.end()
      await Promise.all(writing)
    },
  }
}
