import type { Project, ProjectChanges, User } from '../contract/schemas.js'
import type {
  Identity,
  SessionRecord,
  State,
  StateCounts,
  Team,
  UserRecord,
  WaitlistEntry,
} from './state-file.js'

/** All that is asked about who makes a request. */
export type Caller = {
  session: SessionRecord
  user: User
  /** Undefined where the session has no organisation, or that has no team. */
  team: Team | undefined
}

/** What a load did: how many records of each kind it created, and how many were there already. */
export type LoadReport = { created: StateCounts; existing: StateCounts }

/** A part of the waitlist; what is left out does not narrow it. */
export type WaitlistFilter = {
  /** A part of the address, in lower case. */
  search?: string
  /** At this time or later (RFC 3339, UTC with milliseconds). */
  since?: string
  /** Before this time. */
  until?: string
}

/**
 * Where the data lies. Every method is one sentence of the domain; those about projects answer for one team,
 * and no method reaches another's. A blank team or project id is refused with an `EmptyFilterError`.
 * A store that cannot answer for now (locked, full, closed) throws a `StoreUnavailableError`.
 */
export type Store = {
  /** The team that an organisation code resolves to. */
  teamOfOrganization(orgCode: string): Promise<Team | undefined>
  team(teamId: string): Promise<Team | undefined>
  /** Every team, in the order in which they were added. */
  listTeams(): Promise<Team[]>
  /** Adds a team; false where its organisation has one already, and then nothing changes. */
  addTeam(team: Team): Promise<boolean>
  /** Gives a team another name; undefined where there is no such team. */
  renameTeam(teamId: string, name: string): Promise<Team | undefined>

  /** Every project of the team, newest first, equal times by id, descending (section 4.2). */
  listProjects(teamId: string): Promise<Project[]>
  project(teamId: string, projectId: string): Promise<Project | undefined>
  /** A project of the team whose name has this key (`nameKey`), if there is one. */
  projectNamed(teamId: string, key: string): Promise<Project | undefined>
  /** Adds a project to the team that it names. No name is too often there: 4.1 rule 2. */
  addProject(project: Project): Promise<void>
  /** Sets the given fields of one project of the team; undefined where the team has no such project. */
  updateProject(teamId: string, projectId: string, changes: ProjectChanges): Promise<Project | undefined>

  /** Adds a normalised address; false where it was there already, and then nothing changes. */
  addToWaitlist(entry: WaitlistEntry): Promise<boolean>
  /** Removes a normalised address; false where it was not there. */
  removeFromWaitlist(email: string): Promise<boolean>
  /** The whole waitlist, newest first, equal times by address. */
  listWaitlist(): Promise<WaitlistEntry[]>
  /** The next entries of a part of the waitlist, in that order: those after an entry, or the first ones. */
  waitlistAfter(
    entry: WaitlistEntry | undefined,
    limit: number,
    part?: WaitlistFilter,
  ): Promise<WaitlistEntry[]>
  /** The number of entries in a part of the waitlist. */
  countWaitlist(part?: WaitlistFilter): Promise<number>

  user(userId: string): Promise<User | undefined>
  /** The user with this address, compared without regard to case; the first one added where several have it. */
  userWithEmail(email: string): Promise<User | undefined>
  /** All users with this address, in the order in which they were added, with where each signs in. */
  usersWithEmail(email: string): Promise<UserRecord[]>
  /** The next users by id, with where each signs in: those after an id, or the first ones. */
  usersAfter(userId: string | undefined, limit: number): Promise<UserRecord[]>
  addUser(user: User): Promise<void>
  /**
   * The user of an identity, with the profile that its provider gave: added where there is none, brought up to
   * date where there is. Gives the user as it is kept, whose id is the one from before.
   */
  upsertUser(identity: Identity, user: User): Promise<User>

  session(sessionId: string): Promise<SessionRecord | undefined>
  /** A session, its user, and the team that its organisation code resolves to; undefined where it or its user is not there. */
  caller(sessionId: string): Promise<Caller | undefined>
  /** Every session, in the order in which they were added. */
  listSessions(): Promise<SessionRecord[]>
  addSession(session: SessionRecord): Promise<void>
  /** Notes when a session was last used (RFC 3339). */
  touchSession(sessionId: string, at: string): Promise<void>
  /** Ends a session at a time (RFC 3339); false where there is none, or it was ended before. */
  revokeSession(sessionId: string, at: string): Promise<boolean>
  /** Ends every open session of a user at a time (RFC 3339), and gives their number. */
  revokeSessionsOfUser(userId: string, at: string): Promise<number>
  /** Ends every open session with this organisation code at a time (RFC 3339), and gives their number. */
  revokeSessionsOfOrganization(orgCode: string, at: string): Promise<number>
  /** Removes the sessions that expired at a time (RFC 3339) or before it, and gives their number. */
  removeExpiredSessions(at: string): Promise<number>

  /**
   * Adds what a state file holds, all of it or nothing; a record whose id is there already stays as it is.
   * @throws StateError where it contradicts what is there, e.g. an organisation code of another team
   */
  load(state: State): Promise<LoadReport>
  /** Everything in the store, as a state file that `load` takes. */
  export(): Promise<State>
  /** Finishes what was begun, then lets go of what the store holds open. */
  close(): Promise<void>
}

/** A query that would not name what it is about: a fault of the caller, never run. */
export class EmptyFilterError extends Error {
  override name = 'EmptyFilterError'
}

/** The store cannot answer for now; the same call may succeed later. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}

/** Refuses a blank filter, so that no query ever runs on all rows by mistake. */
export function requireFilter(filter: Record<string, string>): void {
  for (const [name, value] of Object.entries(filter)) {
    if (value.trim() === '') throw new EmptyFilterError(`${name} must not be blank`)
  }
}
