import type { Origin } from '../../store/audit-log.js'
import type { Store } from '../../store/store.js'
import { issueSession, SessionEndedError } from '../sessions/issue-session.js'
import type { SessionCookies } from '../sessions/session-cookie.js'
import type { Settings } from '../settings/settings.js'
import type { SignedIn } from './claims.js'
import { keysOfSignIn } from './ended-keys.js'
import { SignInError } from './sign-in-error.js'

export type CompletionOptions = Pick<Settings, 'sessionTtl' | 'defaultPermissions' | 'provisionTeams'> & {
  store: Store
  cookies: SessionCookies
  now(): Date
  newId(): string
}

/**
 * Signs in a user whom a provider has identified: updates the user, found by issuer and subject alone, and issues a new
 * session. An existing user with the same address is another person: an address does not prove its owner.
 * @param stateExpiresAt until when sessions that ended since the sign-in began are remembered
 * @param by the origin of the change, for the audit log
 * @returns the value of the session cookie
 * @throws SignInError if the session, or all sessions of the user, ended at the provider since the sign-in began
 */
export async function completeSignIn(
  options: CompletionOptions,
  signedIn: Omit<SignedIn, 'remarks'>,
  stateExpiresAt: string,
  by?: Origin,
): Promise<string> {
  const { store, newId, provisionTeams, defaultPermissions, sessionTtl: ttlMs } = options
  const { identity, sid, profile, orgCode, permissions = defaultPermissions } = signedIn

  const user = await store.upsertUser(identity, { id: newId(), ...profile }, by)
  if (orgCode && provisionTeams && !(await store.teamOfOrganization(orgCode))) {
    await store.addTeam({ id: newId(), name: orgCode, orgCode }, by)
  }
  const unless = { keys: keysOfSignIn(identity, sid), until: stateExpiresAt }
  const grant = { user, orgCode, permissions, sid, ttlMs, unless }
  const { cookie } = await issueSession({ ...options, by }, grant).catch((error) => {
    if (!(error instanceof SessionEndedError)) throw error
    throw new SignInError('unfinished', 'the session ended at the identity provider meanwhile')
  })
  return cookie
}
