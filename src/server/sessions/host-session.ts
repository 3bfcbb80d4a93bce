import type { Session } from '../../handlers/handler.js'
import type { Store } from '../../store/store.js'
import type { HostSession } from '../plugin-options.js'

/**
 * The session of a caller whom the application has signed in, with the team of its organisation. Without a version, its
 * replies are not cached.
 */
export async function resolveHostSession(
  store: Pick<Store, 'teamOfOrganization'>,
  { user, orgCode: code = '', permissions, id = user.id }: HostSession,
): Promise<Session> {
  const orgCode = code.trim() === '' ? undefined : code
  const team = orgCode === undefined ? undefined : await store.teamOfOrganization(orgCode)
  return { id, user, orgCode, team, permissions }
}
