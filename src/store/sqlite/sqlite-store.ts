import { resolve } from 'node:path'
import type { User } from '../../contract/schemas.js'
import type { ChangeFeed } from '../change-feed.js'
import { requireFilter, type Store } from '../store.js'
import * as lookups from './batch-queries.js'
import { insert, insertEntries, insertProjects } from './insert.js'
import { exportState, loadState } from './load-state.js'
import { rewriteVersion } from './migrations.js'
import { openReopeningDatabase } from './reopening-database.js'
import { columns, emailKey, type Rows, toSession, toUserRecord } from './rows.js'
import { updateProjects } from './update-projects.js'
import { countWaitlist, waitlistAfter } from './waitlist-queries.js'

export { DatabaseRefusedError } from './database-errors.js'

const { user, teams, users, sessions, waitlist } = columns

const revokeOpen = `UPDATE sessions SET revoked_at = ?
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`

/** The store of production, with what only its operator asks for. */
export type SqliteStore = Store & {
  /**
   * Makes sure that a write would be kept, by one that changes nothing.
   * @throws StoreUnavailableError where it would not, or where another program changed the database's version
   */
  probe(): Promise<void>
  /** The number of sessions that are neither revoked nor expired at a time (RFC 3339). */
  countOpenSessions(at: string): Promise<number>
  changes: ChangeFeed
  /** How many writes wait for their turn. */
  waitingWrites(): number
}

/**
 * The store of production, over a SQLite file. A missing file is made, and the folders above it.
 * @param options.busyTimeoutMs how long a call waits for another process's lock, in milliseconds
 * @throws DatabaseRefusedError, saying which file and why, where the file is not ours, is newer than we know,
 *   or is damaged; the file stays as it was
 */
export async function openSqliteStore(path: string, { busyTimeoutMs = 5000 } = {}): Promise<SqliteStore> {
  const file = resolve(path)
  const db = await openReopeningDatabase(file, busyTimeoutMs)

  return {
    async teamOfOrganization(orgCode) {
      const [team] = await db.find(lookups.teamOfOrganization, orgCode)
      return team
    },
    async team(teamId) {
      const [team] = await db.read<Rows['teams']>(`SELECT ${teams} FROM teams WHERE id = ?`, teamId)
      return team
    },
    async listTeams() {
      return db.read<Rows['teams']>(`SELECT ${teams} FROM teams ORDER BY position`)
    },
    async addTeam(team) {
      const added = await db.write((handle) =>
        insert(handle, 'teams', team, 'ON CONFLICT (org_code) DO NOTHING RETURNING id'),
      )
      return added.length > 0
    },
    async renameTeam(teamId, name) {
      const [team] = await db.write((handle) =>
        handle.all<Rows['teams']>(`UPDATE teams SET name = ? WHERE id = ? RETURNING ${teams}`, name, teamId),
      )
      return team
    },

    async listProjects(teamId) {
      requireFilter({ teamId })
      const [list = []] = await db.find(lookups.projectsOfTeam, teamId)
      return list
    },
    async project(teamId, projectId) {
      requireFilter({ teamId, projectId })
      const [project] = await db.find(lookups.projectWithId, [teamId, projectId])
      return project
    },
    async projectNamed(teamId, key) {
      requireFilter({ teamId })
      const [project] = await db.find(lookups.projectsNamed, [teamId, key])
      return project
    },
    async addProject(project) {
      requireFilter({ teamId: project.teamId, projectId: project.id })
      await db.run(insertProjects, project)
    },
    async updateProject(teamId, projectId, changes) {
      requireFilter({ teamId, projectId })
      return db.run(updateProjects, { teamId, projectId, changes })
    },

    async addToWaitlist(entry) {
      return db.run(insertEntries, entry)
    },
    async removeFromWaitlist(email) {
      return (await db.write((handle) => handle.run('DELETE FROM waitlist WHERE email = ?', email))) > 0
    },
    async listWaitlist() {
      return db.read<Rows['waitlist']>(`SELECT ${waitlist} FROM waitlist ORDER BY created_at DESC, email`)
    },
    async waitlistAfter(entry, limit, part) {
      return waitlistAfter(db, entry, limit, part)
    },
    async countWaitlist(part) {
      return countWaitlist(db, part)
    },

    async user(userId) {
      const [found] = await db.find(lookups.userWithId, userId)
      return found
    },
    async userWithEmail(email) {
      const [found] = await db.read<User>(
        `SELECT ${user} FROM users WHERE email_key = ? ORDER BY position LIMIT 1`,
        emailKey(email),
      )
      return found
    },
    async usersWithEmail(email) {
      const found = await db.read<Rows['users']>(
        `SELECT ${users} FROM users WHERE email_key = ? ORDER BY position`,
        emailKey(email),
      )
      return found.map(toUserRecord)
    },
    async usersAfter(userId, limit) {
      const found = await db.read<Rows['users']>(
        `SELECT ${users} FROM users WHERE id > ? ORDER BY id LIMIT ?`,
        userId ?? '',
        limit,
      )
      return found.map(toUserRecord)
    },
    async addUser({ id, email, givenName, familyName, picture }) {
      const added = { id, email, givenName, familyName, picture }
      await db.write((handle) => insert(handle, 'users', added))
    },
    async upsertUser({ issuer, subject }, profile) {
      const [kept] = await db.write((handle) =>
        insert<User>(
          handle,
          'users',
          { ...profile, issuer, subject },
          `ON CONFLICT (issuer, subject) DO UPDATE SET email = excluded.email, email_key = excluded.email_key,
             given_name = excluded.given_name, family_name = excluded.family_name, picture = excluded.picture
           RETURNING ${user}`,
        ),
      )
      return kept as User
    },

    async session(sessionId) {
      const [session] = await db.find(lookups.sessionWithId, sessionId)
      return session && toSession(session)
    },
    async caller(sessionId) {
      const [found] = await db.find(lookups.callerWithSession, sessionId)
      return found && { session: toSession(found.session), user: found.user, team: found.team ?? undefined }
    },
    async listSessions() {
      const found = await db.read<Rows['sessions']>(`SELECT ${sessions} FROM sessions ORDER BY position`)
      return found.map(toSession)
    },
    async addSession(session) {
      await db.write((handle) => insert(handle, 'sessions', session))
    },
    async touchSession(sessionId, at) {
      await db.write((handle) =>
        handle.run('UPDATE sessions SET last_seen_at = ? WHERE id = ?', at, sessionId),
      )
    },
    async revokeSession(sessionId, at) {
      const sql = 'UPDATE sessions SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL'
      return (await db.write((handle) => handle.run(sql, at, sessionId))) > 0
    },
    async revokeSessionsOfUser(userId, at) {
      return db.write((handle) => handle.run(`${revokeOpen} AND user_id = ?`, at, at, userId))
    },
    async revokeSessionsOfOrganization(orgCode, at) {
      return db.write((handle) => handle.run(`${revokeOpen} AND org_code = ?`, at, at, orgCode))
    },
    async removeExpiredSessions(at) {
      return db.write((handle) => handle.run('DELETE FROM sessions WHERE expires_at <= ?', at))
    },

    async load(state) {
      return db.write((handle) => loadState(handle, state))
    },
    async export() {
      return db.snapshot(exportState)
    },
    async probe() {
      await db.write((handle) => rewriteVersion(file, handle))
    },
    async countOpenSessions(at) {
      const sql = 'SELECT count(*) AS open FROM sessions WHERE revoked_at IS NULL AND expires_at > ?'
      const [row] = await db.read<{ open: number }>(sql, at)
      return row?.open ?? 0
    },
    changes: db.changes,
    waitingWrites: db.waitingWrites,
    async close() {
      await db.close()
    },
  }
}
