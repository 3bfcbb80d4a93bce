import type { Store } from '../../store/store.js'
import { issueSession } from '../sessions/issue-session.js'
import type { SessionCookies } from '../sessions/session-cookie.js'
import type { SignedIn } from './claims.js'

export type Admission = {
  store: Store
  cookies: SessionCookies
  now(): Date
  newId(): string
  /** How long a session lasts at most, in milliseconds. */
  sessionMs: number
  /** What those may do of whom the provider says nothing about permissions. */
  defaultPermissions: string[]
  /** Whether an organisation without a team gets one. */
  provisionTeams: boolean
}

/**
 * Lets somebody in whom a provider has identified: their user, known by issuer and subject alone, and a session
 * of a new id. A user with the same address that was made without the provider is somebody else: an address says
 * nothing of who holds it at the provider.
 * @returns the value of the session cookie
 */
export async function completeSignIn(admission: Admission, signedIn: SignedIn): Promise<string> {
  const { store, newId, provisionTeams, defaultPermissions, sessionMs } = admission
  const { identity, profile, orgCode, permissions = defaultPermissions } = signedIn

  const user = await store.upsertUser(identity, { id: newId(), ...profile })
  if (orgCode && provisionTeams && !(await store.teamOfOrganization(orgCode))) {
    await store.addTeam({ id: newId(), name: orgCode, orgCode })
  }
  const { cookie } = await issueSession(admission, { user, orgCode, permissions, ttlMs: sessionMs })
  return cookie
}
