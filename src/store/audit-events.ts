import type { User } from '../contract/schemas.js'
import type { AuditEvent, Origin } from './audit-log.js'
import type { SessionRecord, StateCounts, Team } from './state-file.js'
import type { LoadReport } from './store.js'

/** A session as its revocation returns it. */
export type RevokedSession = { id: string; userId: string }

/** What a removal has removed: how many records of each kind, and the ids of those that were named. */
export type RemovedRecords = { counts: StateCounts; teams: string[]; users: string[]; projects: string[] }

/** What the audit log tells of a change, by its result: nothing, if nothing changed. */
export type Describe<Result> = (result: Result, origin: Origin) => AuditEvent[]

/** What the audit log tells of each change that a store makes; creations and updates of projects apart. */
export const auditEvents = {
  addTeam:
    ({ id }: Team): Describe<boolean> =>
    (isAdded) =>
      isAdded ? [{ action: 'team.create', target: id }] : [],
  renameTeam: (team: Team | undefined) => (team ? [{ action: 'team.rename' as const, target: team.id }] : []),
  /** Of an address only the number is told: the entry stays when the address is removed. */
  addToWaitlist: (isAdded: boolean) =>
    isAdded ? [{ action: 'waitlist.add' as const, details: { waitlist: 1 } }] : [],
  addUser:
    ({ id }: User): Describe<User> =>
    (stored) =>
      stored.id === id ? [{ action: 'user.create', userId: id }] : [],
  /** The result is the team of the session's organisation, whose code the audit log does not have. */
  addSession:
    ({ id, userId, permissions }: SessionRecord): Describe<{ id: string } | undefined | false> =>
    (team, { via }) =>
      team === false
        ? []
        : [
            {
              action: via === 'signInCallback' ? 'sign-in' : 'session.issue',
              userId,
              sessionId: id,
              ...(team && { target: team.id }),
              details: { permissions: permissions.join(' ') },
            },
          ],
  revokeSessions: ((sessions = [], { via }) =>
    sessions.map(({ id, userId }) => ({
      action: via === 'signOut' || via === 'backChannelLogout' ? 'sign-out' : 'session.revoke',
      userId,
      sessionId: id,
    }))) satisfies Describe<RevokedSession[] | undefined>,
  load: (({ created: { waitlist, ...others } }) => [
    ...countEvent('data.load', others),
    ...countEvent('waitlist.add', { waitlist }),
  ]) satisfies Describe<LoadReport>,
  /** What went with a record is told in its entry; with several records, in an entry of its own. */
  remove: (({ counts: { waitlist, ...others }, teams, users, projects }) => {
    const named: AuditEvent[] = [
      ...teams.map((target) => ({ action: 'team.remove' as const, target })),
      ...users.map((userId) => ({ action: 'user.remove' as const, userId })),
      ...projects.map((target) => ({ action: 'project.remove' as const, target })),
    ]
    const details = withoutZeros(others)
    return [
      ...(named.length === 1 ? named.map((event) => ({ ...event, details })) : named),
      ...(named.length > 1 ? countEvent('data.remove', others) : []),
      ...countEvent('waitlist.remove', { waitlist }),
    ]
  }) satisfies Describe<RemovedRecords>,
}

/** An event with the numbers of records, unless there are none. */
function countEvent(action: AuditEvent['action'], counts: Partial<StateCounts>): AuditEvent[] {
  const details = withoutZeros(counts)
  return Object.keys(details).length > 0 ? [{ action, details }] : []
}

const withoutZeros = (counts: Partial<StateCounts>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
