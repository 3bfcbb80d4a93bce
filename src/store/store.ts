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

export type FoundCaller = {
  /** Without its `sid`. */
  session: SessionRecord
  user: User
  /** Undefined if the session has no organisation, or the organisation has no team. */
  team: Team | undefined
  /**
   * The version of the team, which every change of the team or its projects replaces. Undefined without a team, and in a
   * store whose responses are not cached.
   */
  version?: string
  /** The time of this result by the clock of the database (RFC 3339), if it may differ from this process's. */
  now?: string
}

/** The projects of a team, and the version of the team (see `FoundCaller`) in the same statement. */
export type ProjectList<Item> = { projects: Item[]; version?: string }

/** Why a project was not added or changed: its name is taken, or its team would exceed a limit. */
export type Refusal = 'name' | ExceededLimit

/** The numbers of created and existing records of each kind. */
export type LoadReport = { created: StateCounts; existing: StateCounts }

/** Records to remove with their dependants. */
export type Removal = {
  /** The ids of teams: with their projects, and the sessions of their organisations. */
  teams?: readonly string[]
  /** The ids of users: with their sessions. */
  users?: readonly string[]
  projects?: readonly Pick<Project, 'id' | 'teamId'>[]
  /** Normalised addresses. */
  waitlist?: readonly string[]
}

/** A message of an identity provider about ended sessions. */
export type ProviderLogout = {
  issuer: string
  /** Absent: the sessions with the `sid`, of any subject. */
  subject?: string
  /** Absent: all sessions of the subject. */
  sid?: string
  /** Identifies the message among valid ones. */
  key: string
  /** When the message stops being valid (RFC 3339). */
  expiresAt: string
  /** Keys for sign-ins that are under way. */
  ended?: Ended
}

/** Keys of a subject and of a session at an identity provider, and how long they are remembered (RFC 3339). */
export type Ended = { keys: readonly string[]; until: string }

/** Filters of the waitlist. An entry has to match all of them. */
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

/** Filters of sessions. A session has to match all of them. */
export type SessionFilter = { userId?: string; orgCode?: string }

/** The records of a list, as `recordsBefore` reads them: a session with the address of its user. */
export type Listed = { teams: Team; sessions: SessionRecord & { email: string } }

export type StoreReader = {
  /** One page of all records of a kind, the last added first: those before a place, or the first ones. */
  recordsBefore<Kind extends keyof Listed>(
    kind: Kind,
    place: string | undefined,
    limit: number,
  ): Promise<{ place: string; record: Listed[Kind] }[]>
  countRecords(kind: 'teams' | 'users' | 'sessions'): Promise<number>

  teamOfOrganization(orgCode: string): Promise<Team | undefined>
  team(teamId: string): Promise<Team | undefined>
  /** Every team, in insertion order. */
  listTeams(): Promise<Team[]>

  /** Every project of the team, newest first; equal times by id, descending (section 4.2). */
  listProjects(teamId: string): Promise<ProjectList<Project>>
  /** One page of the projects of the team, in the order of `listProjects`: those after a project, or the first ones. */
  projectsAfter(
    teamId: string,
    last: Pick<Project, 'id' | 'createdAt'> | undefined,
    limit: number,
  ): Promise<Project[]>
  /** The id and name of every project of the team, in the order of `listProjects`. */
  listProjectNames(teamId: string): Promise<ProjectList<ProjectName>>
  /** The size of the team. Does not read its projects. */
  teamSize(teamId: string): Promise<TeamSize>
  project(teamId: string, projectId: string): Promise<Project | undefined>

  /**
   * One page of the filtered waitlist, newest first, equal times by address: the entries after `cursor`, or the first ones.
   */
  waitlistAfter(
    cursor: WaitlistEntry | undefined,
    limit: number,
    filter?: WaitlistFilter,
  ): Promise<WaitlistEntry[]>
  countWaitlist(filter?: WaitlistFilter): Promise<number>

  user(userId: string): Promise<User | undefined>
  /** All users with this address, ignoring case, with their identities, in insertion order. */
  usersWithEmail(email: string): Promise<UserRecord[]>
  /** One page of all users with their identities, by id: the users after an id, or the first ones. */
  usersAfter(userId: string | undefined, limit: number): Promise<UserRecord[]>

  session(sessionId: string): Promise<SessionRecord | undefined>
  /** A session with its user and the team of its organisation; undefined if the session or its user does not exist. */
  caller(sessionId: string): Promise<FoundCaller | undefined>
  /** The filtered sessions, in insertion order. */
  listSessions(filter?: SessionFilter): Promise<SessionRecord[]>
}

/**
 * The storage of all records. Methods about projects access one team and cannot reach another's. A blank team or project id
 * is refused with an `EmptyFilterError`. Callers check texts from outside: no text has U+0000 or a lone surrogate. A store
 * that is unavailable (locked, full, closed) throws a `StoreUnavailableError`.
 * Methods that change records take the origin (`by`). Production records it in the audit log, in the same transaction.
 */
export type Store = StoreReader & {
  /** Adds a team. Returns false, and changes nothing, if the organisation has one. */
  addTeam(team: Team, by?: Origin): Promise<boolean>
  /** Renames a team. Returns undefined if it does not exist. */
  renameTeam(teamId: string, name: string, by?: Origin): Promise<Team | undefined>

  /**
   * Adds a project to its team, or returns why not. Concurrent calls of a process are counted together against the limits,
   * and may all succeed with one name (4.1, rule 2). Fails if the team has a project with this id; some stores also fail for
   * the id of another team's project.
   * @param limits the limits of the team; by default none
   * @param newName the key of the project's name (`nameKey`), if the team must not have a project with this key
   */
  addProject(
    project: Project,
    limits?: TeamLimits,
    newName?: string,
    by?: Origin,
  ): Promise<Refusal | undefined>
  /**
   * Sets the given fields of a project of the team, with limits as in `addProject`.
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

  /** Adds a normalised address. Returns false if it exists: production then counts the submission. */
  addToWaitlist(entry: WaitlistEntry, by?: Origin): Promise<boolean>

  addUser(user: User, by?: Origin): Promise<void>
  /**
   * Adds the user of an identity, or updates the profile of the existing user. Returns the stored user; an existing one keeps
   * its id.
   */
  upsertUser(identity: Identity, user: User, by?: Origin): Promise<User>

  /**
   * Adds a session.
   * @param unless keys of a sign-in: if one of them has ended at the identity provider, and is remembered until this time or
   *   later, nothing is added and the result is false
   */
  addSession(session: SessionRecord, by?: Origin, unless?: Ended): Promise<boolean>
  /** Records when a session was last used (RFC 3339). */
  touchSession(sessionId: string, at: string): Promise<void>
  /** Revokes a session at a time (RFC 3339). Returns false if it does not exist or is revoked. */
  revokeSession(sessionId: string, at: string, by?: Origin): Promise<boolean>
  /** Revokes every open session of a user at a time (RFC 3339). Returns their number. */
  revokeSessionsOfUser(userId: string, at: string, by?: Origin): Promise<number>
  /** Revokes every open session of an organisation at a time (RFC 3339). Returns their number. */
  revokeSessionsOfOrganization(orgCode: string, at: string, by?: Origin): Promise<number>
  /**
   * Revokes the sessions that ended at their identity provider, at a time (RFC 3339). With a subject and a `sid`, these are
   * the subject's sessions with that `sid` or with none.
   * @returns their number; undefined for a repeated message, which changes nothing
   */
  revokeSessionsOfProvider(logout: ProviderLogout, at: string, by?: Origin): Promise<number | undefined>
  /**
   * Adds the records of a state file, all or none. Skips records whose id exists.
   * @throws StateError if the file conflicts with the store, for example by an organisation code of another team
   */
  load(state: State, by?: Origin): Promise<LoadReport>
  /**
   * Removes records and their dependants, in one transaction. Skips missing ones.
   * @returns the number of removed records of each kind
   */
  remove(records: Removal, by?: Origin): Promise<StateCounts>
  /** Everything in the store, as a state file that `load` takes. */
  export(): Promise<State>
  /** Waits for earlier calls, then releases all resources. */
  close(): Promise<void>
}

/** The methods that operations use. The mock's store has only these. */
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

/** A blank filter, which is a bug of the caller. The query did not run. */
export class EmptyFilterError extends Error {
  override name = 'EmptyFilterError'
}

/** The store is unavailable for now. The same call may succeed later. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError'
}

/** The clock of this process may be wrong: no old records are removed. */
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
