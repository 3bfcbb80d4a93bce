/** The events of the audit log. The part before the full stop is the kind of record that was changed. */
export const auditActions = [
  'sign-in',
  'sign-out',
  'session.issue',
  'session.revoke',
  'user.create',
  'user.remove',
  'team.create',
  'team.rename',
  'team.remove',
  'project.create',
  'project.update',
  'project.remove',
  'waitlist.add',
  'waitlist.remove',
  'data.load',
  'data.remove',
  'database.create',
  'database.migrate',
  'database.backup',
  'database.restore',
  'database.vacuum',
  'database.copy',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditOutcomes = ['success', 'failure'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/** Counts, ids and names of files. Never a secret, a cookie, a token, an address of a person or a name. */
export type AuditDetails = Record<string, string | number>

/** The origin of a change: the actor, the command or operation, and the place. */
export type Origin = {
  /** The command or operation, such as `team remove` or `signOut`. */
  via: string
  /** The system user who runs a command. Absent for a request. */
  operator?: string
  /** The address of the client, or the name of the host. */
  source?: string
  requestId?: string
  /** The user who made the request, and the public id of the session. */
  userId?: string
  sessionId?: string
  details?: AuditDetails
}

export type AuditEvent = {
  action: AuditAction
  outcome?: AuditOutcome
  /** Why the action failed. */
  reason?: string
  /** The user who acted, or whom an operator's command concerns. */
  userId?: string
  /** The public id of the session, which is no credential. */
  sessionId?: string
  /** The id of the team or project; the path of the file or the address of the database. */
  target?: string
  details?: AuditDetails
}

export type AuditEntry = Omit<Origin, 'details'> &
  AuditEvent & {
    /** A UUID, version 7. */
    id: string
    /** RFC 3339, UTC with milliseconds. */
    at: string
    outcome: AuditOutcome
  }

/** Filters of the audit log. An entry has to match all that are given. */
export type AuditFilter = {
  /** At this time or later (RFC 3339, UTC with milliseconds). */
  since?: string
  /** Before this time. */
  until?: string
  /** Names of operators and ids of users. One of them acted. */
  actors?: readonly string[]
  /** An action, or the kind before its full stop. */
  action?: string
  outcome?: AuditOutcome
  /** The user who acted, or whom the entry concerns. */
  userId?: string
}

export type AuditReader = {
  /** One page of the filtered log, newest first: the entries after `cursor`, or the first ones without it. */
  auditAfter(
    cursor: Pick<AuditEntry, 'at' | 'id'> | undefined,
    limit: number,
    filter?: AuditFilter,
  ): Promise<AuditEntry[]>
  countAudit(filter?: AuditFilter): Promise<number>
}
