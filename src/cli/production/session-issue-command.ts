import { type Command, Option } from 'commander'
import type { Operation } from '../../contract/operations.js'
import type { User } from '../../contract/schemas.js'
import { formatDuration } from '../../server/settings/duration.js'
import { settingsTable } from '../../server/settings/settings-table.js'
import type { Store } from '../../store/store.js'
import { addCommand } from '../define-command.js'
import { jsonOption, parseTtl, settingOption, splitList } from '../options.js'
import { printMessage } from '../output/output.js'
import { show } from '../output/show.js'
import { UserError } from '../user-error.js'
import { normalizeEmail } from './find-records.js'
import { withDatabase } from './open-database.js'
import { requireSettings } from './require-settings.js'

const notes = `
The cookie is signed with the first secret of DASHBOARD_API_SESSION_SECRET, which must be the one that "serve" uses.
Operations require the permissions create:projects and update:projects. For a caller without an organisation or without
a team, leave out --organization, or give one that has no team.`

const { sessionTtl, sessionIssueMax } = settingsTable
const ttlAbout = `how long it lasts (default: $${sessionTtl.env}, else ${sessionTtl.default}; at most $${sessionIssueMax.env}, else ${sessionIssueMax.default})`

export const defineIssue = (group: Command) =>
  addCommand(group, 'issue', {
    about: 'Issue a production session without sign-in, and print the value of its cookie.',
    options: [
      new Option('--user <email>', 'the address of the user').makeOptionMandatory(),
      ['--organization <code>', 'the organisation code of the session (default: none)'],
      new Option('--permissions <list>', 'separated by commas; "" for none').makeOptionMandatory(),
      ['--create-user', 'create the user if there is none with that address'],
      ['--ttl <time>', ttlAbout, parseTtl],
      settingOption('database', '<file>'),
      jsonOption('print cookie, session (its id) and expiresAt as JSON'),
    ],
    notes,
    examples: [
      '--user ada@acme.example --organization org_acme --permissions create:projects,update:projects',
      '--user new@acme.example --create-user --permissions "" --ttl 30m',
    ],
    async run({ json, ...options }) {
      const { unused, ...issued } = await issueForOperator(options as Options)
      if (unused.length > 0) printMessage(`No operation requires ${unused.join(', ')}.`)
      printMessage(`Session ${issued.session} is valid until ${issued.expiresAt}.`)
      await show({ data: issued, lines: [issued.cookie] }, json)
      printMessage(
        'hint: Save the value with COOKIE=$(npx dashboard-api session issue …), and send it as the cookie "session":',
      )
      printMessage('  curl --cookie "session=$COOKIE" http://127.0.0.1:8080/v1/auth/me')
      return undefined
    },
  })

type Options = {
  database?: string
  user: string
  createUser?: true
  organization?: string
  permissions: string
  ttl?: number
}

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
  const permissions = [...new Set(splitList(options.permissions))]
  const names = ['sessionSecret', 'sessionTtl', 'sessionIssueMax'] as const
  const { sessionSecret, sessionTtl, sessionIssueMax } = await requireSettings({}, names)
  const { ttl = Math.min(sessionTtl, sessionIssueMax) } = options
  if (ttl > sessionIssueMax) {
    throw new UserError(
      `A session may last ${formatDuration(sessionIssueMax)} at most, not ${formatDuration(ttl)}.`,
      `Give a shorter --ttl; or set ${settingsTable.sessionIssueMax.env}.`,
    )
  }
  const [{ issueSession }, { createSessionCookies }] = await Promise.all([
    import('../../server/sessions/issue-session.js'),
    import('../../server/sessions/session-cookie.js'),
  ])
  const cookies = createSessionCookies(sessionSecret)
  return withDatabase(
    options.database,
    async (store, name) => {
      const [existing] = await store.usersWithEmail(email)
      const user = existing ?? (options.createUser ? await addUser(store, email) : undefined)
      if (!user) {
        throw new UserError(
          `The database ${name} has no user with the address "${email}".`,
          `"npx dashboard-api user list --database ${name}" lists them; --create-user creates this one.`,
        )
      }
      const { session, cookie } = await issueSession(
        { store, cookies, now: () => new Date() },
        { user, orgCode, permissions, ttlMs: ttl },
      )
      // A permission that no operation requires may be a typing error.
      const unused = permissions.filter((permission) => !required.includes(permission))
      return { cookie, session: session.id, expiresAt: session.expiresAt as string, unused }
    },
    { create: options.createUser },
  )
}

async function addUser(store: Store, email: string): Promise<User> {
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
