import { v7 as uuidV7 } from 'uuid'
import { type Operation, operations } from '../../contract/operations.js'
import type { User } from '../../contract/schemas.js'
import { issueSession } from '../../server/sessions/issue-session.js'
import { createSessionCookies } from '../../server/sessions/session-cookie.js'
import type { Store } from '../../store/store.js'
import { UserError } from '../user-error.js'
import { normalAddress } from './address.js'
import { withDatabase } from './database.js'
import { requireSettings } from './settings.js'

export type IssueOptions = {
  database?: string
  user: string
  organization?: string
  /** Separated by commas; empty is none. Left out: all that an operation asks for. */
  permissions?: string
  /** How long the session lasts, in milliseconds; the setting's time where it is left out. */
  ttl?: number
}

export type IssuedSession = {
  /** The value of the session cookie. */
  cookie: string
  /** The session's id, to revoke it by. */
  session: string
  expiresAt: string
  /** Permissions that no operation asks for: perhaps a slip of the pen. */
  unused: string[]
}

/**
 * Starts a session of production for an operator, without sign-in; makes the user where there is none.
 * @throws UserError for a missing secret, or anything else that cannot be made a session of
 */
export async function issueForOperator(options: IssueOptions): Promise<IssuedSession> {
  const email = normalAddress(options.user)
  const orgCode = options.organization
  if (orgCode === '')
    throw new UserError('The organisation code is empty.', 'Leave --organization out for none.')
  const permissions = options.permissions === undefined ? askedFor : splitList(options.permissions)
  const { sessionSecret, sessionTtl } = requireSettings({}, ['sessionSecret', 'sessionTtl'])
  const cookies = createSessionCookies(sessionSecret)

  return withDatabase(
    options.database,
    async (store) => {
      const { session, cookie } = await issueSession(
        { store, cookies, now: () => new Date() },
        { user: await userFor(store, email), orgCode, permissions, ttlMs: options.ttl ?? sessionTtl },
      )
      const unused = permissions.filter((permission) => !askedFor.includes(permission))
      return { cookie, session: session.id, expiresAt: session.expiresAt as string, unused }
    },
    { create: true },
  )
}

const askedFor: string[] = Object.values<Operation>(operations).flatMap(({ permission }) => permission ?? [])

const splitList = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  ),
]

async function userFor(store: Store, email: string): Promise<User> {
  const known = await store.userWithEmail(email)
  if (known) return known
  const user = { id: uuidV7(), email, ...namesFrom(email), picture: '' }
  await store.addUser(user)
  return user
}

/** `ada.osei@example.com` is called Ada Osei until an identity provider says otherwise. */
function namesFrom(email: string): { givenName: string; familyName: string } {
  const [givenName = '', ...rest] = email
    .slice(0, email.indexOf('@'))
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return { givenName, familyName: rest.join(' ') }
}
