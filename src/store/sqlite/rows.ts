import type { Project, User } from '../../contract/schemas.js'
import type { SessionRecord, Team, WaitlistEntry } from '../state.js'

// What is selected of each table, and what a row becomes where it is not the record itself.

export const columns = {
  teams: 'id, name, org_code AS orgCode',
  users: 'id, email, given_name AS givenName, family_name AS familyName, picture',
  sessions: `id, user_id AS userId, org_code AS orgCode, permissions, role, note, created_at AS createdAt,
    last_seen_at AS lastSeenAt, expires_at AS expiresAt, revoked_at AS revokedAt`,
  projects: 'id, name, description, status, team_id AS teamId, created_at AS createdAt',
  waitlist: 'email, created_at AS createdAt',
}

export type Rows = {
  teams: Team
  users: User
  sessions: Record<Exclude<keyof SessionRecord, 'permissions'>, string | null> & { permissions: string }
  projects: Project
  waitlist: WaitlistEntry
}

/** A field that is not there is left out of a record, never null. */
export function toSession(row: Rows['sessions']): SessionRecord {
  const present = Object.entries(row).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(present), permissions: JSON.parse(row.permissions) } as SessionRecord
}

/** The key under which a user's address is found: without regard to case. */
export const emailKey = (email: string): string => email.toLowerCase()
