/** What the audit log tells of. The part before the full stop is the kind of record that was changed. */
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

/** Who makes changes, by what and from where. */
export type Origin = {
  /** The command or the operation, such as `team remove` or `signOut`. */
  via: string
  /** The system's user who runs a command. A request has none. */
  operator?: string
  /** The address of the client, or the name of the host. */
  source?: string
  /** The id of the request in the log. */
  requestId?: string
  /** The user who makes a request, and the public id of the session. */
  userId?: string
  sessionId?: string
  details?: AuditDetails
}

/** What happened. */
export type AuditEvent = {
  action: AuditAction
  outcome?: AuditOutcome
  /** Why it failed. */
  reason?: string
  /** The user who did it; where an operator did it, the user whom it concerns. */
  userId?: string
  /** The public id of the session, which is no credential. */
  sessionId?: string
  /** The id of the team or project; the path of the file or the address of the database. */
  target?: string
  details?: AuditDetails
}

/** An entry of the audit log. */
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
  /** Names of operators and ids of users; any of them did it. */
  actors?: readonly string[]
  /** An action, or the kind before its full stop. */
  action?: string
  outcome?: AuditOutcome
  /** The user who did it, or whom it concerns. */
  userId?: string
}

/** What is read of the audit log of a database. */
export type AuditReader = {
  /** One page of the filtered log, newest first: the entries after `cursor`, or the first ones without it. */
  auditAfter(
    cursor: Pick<AuditEntry, 'at' | 'id'> | undefined,
    limit: number,
    filter?: AuditFilter,
  ): Promise<AuditEntry[]>
  /** The number of entries of the filtered log. */
  countAudit(filter?: AuditFilter): Promise<number>
}
