import type { ExceededLimit, TeamLimits, TeamSize } from '../contract/limits.js'
import type { Project, ProjectChanges, ProjectName, User } from '../contract/schemas.js'
import type { Origin } from './audit-log.js'
import type {
  Identity,
  SessionRecord,
  State,
  StateCounts,
  Team,
  UserRecord,
  WaitlistEntry,
} from './state-file.js'

/** Who makes a request. */
export type FoundCaller = {
  /** Without its `sid`. */
  session: SessionRecord
  user: User
  /** Undefined if the session has no organisation, or the organisation has no team. */
  team: Team | undefined
  /**
   * The version of the team: a text that every change of it or of its projects replaces by another one. Undefined without
   * a team, and in a store whose responses are not cached.
   */
  version?: string
  /** When that was true, by the clock of the database (RFC 3339), if it may be another one than this process's. */
  now?: string
}

/** The projects of a team as one statement found them, and the version of the team (see `FoundCaller`) in that statement. */
export type ProjectList<Item> = { projects: Item[]; version?: string }

/** Why a project was not added or changed: its name is taken, or its team would exceed a limit. */
export type Refusal = 'name' | ExceededLimit

/** How many records of each kind a load created, and how many existed already. */
export type LoadReport = { created: StateCounts; existing: StateCounts }

/** Records to remove, with what depends on them. */
export type Removal = {
  /** The ids of teams: with their projects, and the sessions of their organisations. */
  teams?: readonly string[]
  /** The ids of users: with their sessions. */
  users?: readonly string[]
  projects?: readonly Pick<Project, 'id' | 'teamId'>[]
  /** Normalised addresses. */
  waitlist?: readonly string[]
}

/** A message of an identity provider that sessions have ended there. */
export type ProviderLogout = {
  issuer: string
  /** Left out: the sessions with the `sid`, of any subject. */
  subject?: string
  /** Left out: all sessions of the subject. */
  sid?: string
  /** Identifies the message among those that are valid. */
  key: string
  /** When the message stops being valid (RFC 3339). */
  expiresAt: string
  /** What ended, for sign-ins that are under way; nothing, if left out. */
  ended?: Ended
}

/** Keys of a subject and of a session at an identity provider, and how long they are remembered (RFC 3339). */
export type Ended = { keys: readonly string[]; until: string }

/** Filters of the waitlist. An entry has to match all that are given. */
export type WaitlistFilter = {
  /** The address, as it is stored. */
  email?: string
  /** A substring of the address, in lower case. */
  search?: string
  /** Added at this time or later (RFC 3339, UTC with milliseconds). */
  since?: string
  /** Added before this time. */
  until?: string
}

/** Filters of sessions. A session has to match all that are given. */
export type SessionFilter = { userId?: string; orgCode?: string }

/** What is read of all records. */
export type StoreReader = {
  /** The team of an organisation. */
  teamOfOrganization(orgCode: string): Promise<Team | undefined>
  team(teamId: string): Promise<Team | undefined>
  /** Every team, in insertion order. */
  listTeams(): Promise<Team[]>

  /** Every project of the team, newest first; projects of the same time by id, descending (section 4.2). */
  listProjects(teamId: string): Promise<ProjectList<Project>>
  /** The id and the name of every project of the team, in the order of `listProjects`. */
  listProjectNames(teamId: string): Promise<ProjectList<ProjectName>>
  /** How much the team holds, without reading its projects. */
  teamSize(teamId: string): Promise<TeamSize>
  project(teamId: string, projectId: string): Promise<Project | undefined>

  /**
   * One page of the filtered waitlist, newest first, entries of the same time by address: the entries after `cursor`, or
   * the first ones without it.
   */
  waitlistAfter(
    cursor: WaitlistEntry | undefined,
    limit: number,
    filter?: WaitlistFilter,
  ): Promise<WaitlistEntry[]>
  /** The number of entries of the filtered waitlist. */
  countWaitlist(filter?: WaitlistFilter): Promise<number>

  user(userId: string): Promise<User | undefined>
  /** All users with this address, in any case of letters, and their identities, in insertion order. */
  usersWithEmail(email: string): Promise<UserRecord[]>
  /** One page of all users and their identities, by id: the users after an id, or the first ones without it. */
  usersAfter(userId: string | undefined, limit: number): Promise<UserRecord[]>

  session(sessionId: string): Promise<SessionRecord | undefined>
  /** A session with its user and the team of its organisation; undefined if it or its user does not exist. */
  caller(sessionId: string): Promise<FoundCaller | undefined>
  /** The filtered sessions, in insertion order. */
  listSessions(filter?: SessionFilter): Promise<SessionRecord[]>
}

/**
 * The storage of all records. Methods about projects access one team, and no method can access another's projects. A
 * blank team or project id is refused with an `EmptyFilterError`. No text has U+0000 or a lone surrogate: whoever takes
 * texts from outside checks them. A store that is unavailable for now (locked, full, closed) throws a
 * `StoreUnavailableError`.
 *
 * What changes something takes who makes the change (`by`): production records it in the audit log, in the transaction of
 * the change.
 */
export type Store = StoreReader & {
  /** Adds a team. Returns false, and changes nothing, if its organisation has one already. */
  addTeam(team: Team, by?: Origin): Promise<boolean>
  /** Renames a team. Returns undefined if it does not exist. */
  renameTeam(teamId: string, name: string, by?: Origin): Promise<Team | undefined>

  /**
   * Adds a project to its team, or returns why it was not added. Concurrent calls of a process are counted together
   * against the limits, and may all succeed with one name (4.1, rule 2). Fails if the team has a project with this id; a
   * store that keeps ids unique over all teams fails for that of another team too.
   * @param limits what the team may hold; anything, if left out
   * @param newName the key of the project's name (`nameKey`), if the team must not have a project with this key before
   */
  addProject(
    project: Project,
    limits?: TeamLimits,
    newName?: string,
    by?: Origin,
  ): Promise<Refusal | undefined>
  /**
   * Sets the given fields of a project of the team, with limits like `addProject`.
   * @param newName the key of the new name, if no other project of the team may have it
   * @returns undefined if the team has no such project
   */
  updateProject(
    teamId: string,
    projectId: string,
    changes: ProjectChanges,
    limits?: TeamLimits,
    newName?: string,
    by?: Origin,
  ): Promise<Project | Refusal | undefined>

  /** Adds a normalised address. Returns false, and changes nothing, if it exists already. */
  addToWaitlist(entry: WaitlistEntry, by?: Origin): Promise<boolean>

  addUser(user: User, by?: Origin): Promise<void>
  /**
   * Adds the user of an identity, or updates the profile of the existing one. Returns the stored user; an existing user
   * keeps its id.
   */
  upsertUser(identity: Identity, user: User, by?: Origin): Promise<User>

  /**
   * Adds a session.
   * @param unless keys of a sign-in: if one of them ended at the identity provider, and is remembered until then or later,
   *   nothing is added, and the result is false
   */
  addSession(session: SessionRecord, by?: Origin, unless?: Ended): Promise<boolean>
  /** Records when a session was last used (RFC 3339). */
  touchSession(sessionId: string, at: string): Promise<void>
  /** Revokes a session at a time (RFC 3339). Returns false if it does not exist or is revoked already. */
  revokeSession(sessionId: string, at: string, by?: Origin): Promise<boolean>
  /** Revokes every session of a user that is not revoked yet, at a time (RFC 3339). Returns their number. */
  revokeSessionsOfUser(userId: string, at: string, by?: Origin): Promise<number>
  /** Revokes every session of an organisation that is not revoked yet, at a time (RFC 3339). Returns their number. */
  revokeSessionsOfOrganization(orgCode: string, at: string, by?: Origin): Promise<number>
  /**
   * Revokes the sessions that ended at their identity provider, at a time (RFC 3339). Of a subject and a `sid`, these
   * are the sessions of the subject with that `sid`, or with none.
   * @returns their number; undefined, and nothing is changed, for a message that was received before
   */
  revokeSessionsOfProvider(logout: ProviderLogout, at: string, by?: Origin): Promise<number | undefined>
  /**
   * Adds the records of a state file, all or none. A record whose id exists is skipped.
   * @throws StateError if it conflicts with the store, for example by an organisation code of another team
   */
  load(state: State, by?: Origin): Promise<LoadReport>
  /**
   * Removes records, and what depends on them, in one transaction. What does not exist is skipped.
   * @returns how many records of each kind were removed
   */
  remove(records: Removal, by?: Origin): Promise<StateCounts>
  /** Everything in the store, as a state file that `load` takes. */
  export(): Promise<State>
  /** Waits for the calls before it, then releases all resources. */
  close(): Promise<void>
}

/** What the operations of the interface use: every store has it, also that of the mock. */
export type OperationStore = Pick<
  Store,
  | 'caller'
  | 'listProjects'
  | 'listProjectNames'
  | 'project'
  | 'addProject'
  | 'updateProject'
  | 'addToWaitlist'
>

/** A blank filter: a bug of the caller. The query was not run. */
export class EmptyFilterError extends Error {
  override name = 'EmptyFilterError'
}

/** The store is unavailable for now. The same call may succeed later. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}

/** The clock of this process may be wrong: what is old by it is not removed. */
export class ClockError extends Error {
  override name = 'ClockError'
}

/** Refuses a removal with a blank id. @throws EmptyFilterError */
export function requireIds({ teams = [], users = [], projects = [], waitlist = [] }: Removal): void {
  for (const id of [...teams, ...users, ...projects.flatMap(({ id, teamId }) => [id, teamId]), ...waitlist]) {
    requireFilter({ id })
  }
}

/** Refuses a blank filter, so that no query runs on all rows by mistake. @throws EmptyFilterError */
export function requireFilter(filter: Record<string, string>): void {
  for (const [name, value] of Object.entries(filter)) {
    if (value.trim() === '') throw new EmptyFilterError(`${name} must not be blank`)
  }
}
