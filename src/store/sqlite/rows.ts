import type { Project } from '../../contract/schemas.js'
import type { SessionRecord, Team, UserRecord, WaitlistEntry } from '../state.js'

// What is selected of each table, and what a row becomes where it is not the record itself.

/** A user as the interface has it, section 2.2: where one signs in is not part of it. */
export const user = 'id, email, given_name AS givenName, family_name AS familyName, picture'

export const columns = {
  teams: 'id, name, org_code AS orgCode',
  users: `${user}, issuer, subject`,
  sessions: `id, user_id AS userId, org_code AS orgCode, permissions, role, note, created_at AS createdAt,
    last_seen_at AS lastSeenAt, expires_at AS expiresAt, revoked_at AS revokedAt`,
  projects: 'id, name, description, status, team_id AS teamId, created_at AS createdAt',
  waitlist: 'email, created_at AS createdAt',
}

export type Rows = {
  teams: Team
  users: Record<keyof UserRecord, string | null>
  sessions: Record<Exclude<keyof SessionRecord, 'permissions'>, string | null> & { permissions: string }
  projects: Project
  waitlist: WaitlistEntry
}

/** A field that is not there is left out of a record, never null. */
const present = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

export const toUserRecord = (row: Rows['users']) => present(row) as UserRecord

export const toSession = (row: Rows['sessions']) =>
  ({ ...present(row), permissions: JSON.parse(row.permissions) }) as SessionRecord

/** The key under which a user's address is found: without regard to case. */
export const emailKey = (email: string): string => email.toLowerCase()
