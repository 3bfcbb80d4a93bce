import type { AuditEntry, AuditEvent, Origin } from './audit-log.js'
import { newId } from './new-id.js'

/** The maximum length of a reason. Providers and file paths are parts of it. */
const maxReason = 200

export const auditEntry = (origin: Origin, event: AuditEvent): AuditEntry => ({
  // A spread would be much slower in V8.
  id: newId(),
  at: new Date().toISOString(),
  via: origin.via,
  operator: origin.operator,
  source: origin.source,
  requestId: origin.requestId,
  userId: event.userId ?? origin.userId,
  sessionId: event.sessionId ?? origin.sessionId,
  action: event.action,
  target: event.target,
  outcome: event.outcome ?? 'success',
  reason: event.reason?.slice(0, maxReason),
  details: origin.details ? { ...origin.details, ...event.details } : event.details,
})
