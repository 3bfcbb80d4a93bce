import type { Command } from 'commander'
import type { Operation } from '../../contract/operations.js'
import type { User } from '../../contract/schemas.js'
import type { Store } from '../../store/store.js'
import { examples, jsonOption, settingOption, ttlOption } from '../options.js'
import { printMessage, show } from '../output/output.js'
import { UserError } from '../user-error.js'
import { normalizeEmail } from './normalize-email.js'
import { withDatabase } from './open-database.js'
import { requireSettings } from './require-settings.js'

const about = `
The cookie is signed with the first secret of DASHBOARD_API_SESSION_SECRET, which must be the one that "serve" uses.
A user who does not exist is created. For a caller without an organisation or without a team, leave out
--organization, or give one that has no team.`

export const defineIssue = (issue: Command) =>
  issue
    .description('Issue a production session without sign-in, and print the value of its cookie.')
    .requiredOption('--user <email>', 'the address of the user')
    .option('--organization <code>', 'the organisation code of the session (default: none)')
    .option('--permissions <list>', 'separated by commas, "" for none (default: all that operations require)')
    .addOption(ttlOption())
    .addOption(settingOption('database', '<file>'))
    .addOption(jsonOption('print cookie, session (its id) and expiresAt as JSON'))
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api session issue --user ada@acme.example --organization org_acme',
        'npx dashboard-api session issue --user vera@acme.example --organization org_acme --permissions "" --ttl 30m',
      ),
    )
    .action(async ({ json, ...options }) => {
      const { unused, ...issued } = await issueForOperator(options)
      if (unused.length > 0) printMessage(`No operation requires ${unused.join(', ')}.`)
      printMessage(`Session ${issued.session} is valid until ${issued.expiresAt}.`)
      await show({ data: issued, lines: [issued.cookie] }, json)
      printMessage(
        'hint: Save the value with COOKIE=$(npx dashboard-api session issue …), and send it as the cookie "session":',
      )
      printMessage('  curl --cookie "session=$COOKIE" http://127.0.0.1:8080/v1/auth/me')
    })

type Options = { database?: string; user: string; organization?: string; permissions?: string; ttl?: number }

/** @throws UserError for an invalid option or a missing secret */
async function issueForOperator({ organization: orgCode, ...options }: Options) {
  const email = await normalizeEmail(options.user)
  if (orgCode === '') {
    throw new UserError('The organisation code is empty.', 'For none, leave out --organization.')
  }
  const { keyText } = await import('../../store/state-file.js')
  if (!keyText().optional().safeParse(orgCode).success) {
    throw new UserError('The organisation code cannot be stored.', 'It has at most 255 characters.')
  }
  const { operations } = await import('../../contract/operations.js')
  const required = Object.values<Operation>(operations).flatMap(({ permission }) => permission ?? [])
  const permissions = options.permissions === undefined ? required : splitList(options.permissions)
  const { sessionSecret, sessionTtl } = await requireSettings({}, ['sessionSecret', 'sessionTtl'])
  const [{ issueSession }, { createSessionCookies }] = await Promise.all([
    import('../../server/sessions/issue-session.js'),
    import('../../server/sessions/session-cookie.js'),
  ])
  const cookies = createSessionCookies(sessionSecret)
  return withDatabase(
    options.database,
    async (store) => {
      const { session, cookie } = await issueSession(
        { store, cookies, now: () => new Date() },
        { user: await findOrAddUser(store, email), orgCode, permissions, ttlMs: options.ttl ?? sessionTtl },
      )
      // A permission that no operation requires may be a typing error.
      const unused = permissions.filter((permission) => !required.includes(permission))
      return { cookie, session: session.id, expiresAt: session.expiresAt as string, unused }
    },
    { create: true },
  )
}

const splitList = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  ),
]

async function findOrAddUser(store: Store, email: string): Promise<User> {
  const existing = await store.userWithEmail(email)
  if (existing) return existing
  const { v7: uuidV7 } = await import('uuid')
  const user = { id: uuidV7(), email, ...namesFrom(email), picture: '' }
  await store.addUser(user)
  return user
}

/** `ada.osei@example.com` is named Ada Osei until an identity provider sends other names. */
function namesFrom(email: string): { givenName: string; familyName: string } {
  const [givenName = '', ...rest] = email
    .slice(0, email.indexOf('@'))
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return { givenName, familyName: rest.join(' ') }
}
