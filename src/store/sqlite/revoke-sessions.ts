import type { RevokedSession } from '../audited-changes.js'
import type { ProviderLogout } from '../store.js'
import type { Connection } from './connection.js'

/** The beginning of a statement that revokes open sessions at a time, which is bound twice. */
export const revokeOpen = `UPDATE sessions SET revoked_at = ?
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`

/** Runs a statement that revokes sessions. */
export const revoked = (
  connection: Connection,
  sql: string,
  ...values: string[]
): Promise<RevokedSession[]> =>
  connection.all<RevokedSession>(`${sql} RETURNING id, user_id AS "userId"`, ...values)

const ofIssuer = 'EXISTS (SELECT 1 FROM users WHERE users.id = user_id AND issuer = ?)'
const ofSubject = 'user_id = (SELECT id FROM users WHERE issuer = ? AND subject = ?)'

/** Within the transaction of the caller. See `Store.revokeSessionsOfProvider`. */
export async function revokeSessionsOfProvider(
  connection: Connection,
  { issuer, subject, sid, key, expiresAt }: ProviderLogout,
  at: string,
): Promise<RevokedSession[] | undefined> {
  await connection.run('DELETE FROM provider_logouts WHERE expires_at <= ?', at)
  const add = 'INSERT INTO provider_logouts VALUES (?, ?) ON CONFLICT DO NOTHING'
  if ((await connection.run(add, key, expiresAt)) === 0) return undefined
  const revoke = (condition: string, ...values: string[]) =>
    revoked(connection, `${revokeOpen} AND ${condition}`, at, at, ...values)
  if (subject === undefined) return revoke(`sid = ? AND ${ofIssuer}`, sid ?? '', issuer)
  if (sid === undefined) return revoke(ofSubject, issuer, subject)
  return revoke(`${ofSubject} AND (sid = ? OR sid IS NULL)`, issuer, subject, sid)
}
