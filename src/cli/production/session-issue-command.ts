import { type Command, Option, type OptionValues } from 'commander'
import { shellQuote } from '../../pages/shell-quote.js'
import { formatDuration } from '../../server/settings/duration.js'
import { settingsTable } from '../../server/settings/settings-table.js'
import type { Store } from '../../store/store.js'
import { parsePermissions, parseTtl } from '../options.js'
import { UserError } from '../user-error.js'
import { normalizeEmail, requireOne, usersOf } from './find-records.js'
import { requireSettings } from './require-settings.js'
import { storeCommand } from './store-command.js'

const notes = `
The cookie is signed with the first secret of DASHBOARD_API_SESSION_SECRET, which must be the one that "serve" uses.
Operations require the permissions create:projects and update:projects. For a caller without an organisation or without
a team, leave out --organization, or give one that has no team. --json prints cookie, session (its id) and expiresAt.`

/** The longest time that a session without sign-in may last. */
const maxTtlMs = 86_400_000

const { sessionTtl } = settingsTable
const ttlAbout = `how long it lasts, at most ${formatDuration(maxTtlMs)} (default: $${sessionTtl.env}, else ${sessionTtl.default})`

export const defineIssue = (group: Command) =>
  storeCommand(group, 'issue', {
    about: 'Issue a production session without sign-in, and print the value of its cookie.',
    options: [
      new Option('--user <user>', 'the address or the id of the user').makeOptionMandatory(),
      ['--organization <code>', 'the organisation code of the session (default: none)'],
      new Option('--permissions <list>', 'separated by commas; "" for none')
        .argParser(parsePermissions)
        .makeOptionMandatory(),
      ['--create-user', 'create the user if there is none with that address'],
      ['--ttl <time>', ttlAbout, parseTtl],
    ],
    notes,
    examples: [
      '--user ada@acme.example --organization org_acme --permissions create:projects,update:projects',
      '--user new@acme.example --create-user --permissions "" --ttl 30m',
    ],
    create: ({ createUser }) => createUser === true,
    check: readGrant,
    async write(store, given, file) {
      const { key, sessionSecret, sessionCookie, ...grant } = await readGrant(given)
      const known = requireOne(await usersOf(store, key), key)
      const user = known ?? (given.createUser && (await addUser(store, key)))
      if (!user) {
        throw new UserError(
          `The database ${file} has no user with the address or the id "${key}".`,
          `"npx dashboard-api user list --database ${shellQuote(file)}" lists them; --create-user creates this one.`,
        )
      }
      const [{ issueSession }, { createSessionCookies }, { requiredPermissions }] = await Promise.all([
        import('../../server/sessions/issue-session.js'),
        import('../../server/sessions/session-cookie.js'),
        import('../../contract/operations.js'),
      ])
      const issuer = { store, cookies: createSessionCookies(sessionSecret), now: () => new Date() }
      const { session, cookie } = await issueSession(issuer, { user, ...grant })
      const { id, expiresAt } = session
      // The port is only for the hint below: "serve" reports an invalid one.
      const { port } = await requireSettings({}, ['port']).catch(() => ({ port: settingsTable.port.default }))
      // It may be a typing error.
      const unused = grant.permissions.filter((permission) => !requiredPermissions.includes(permission))
      return {
        message: [
          ...(unused.length > 0 ? [`No operation requires ${unused.join(', ')}.`] : []),
          `Session ${id} is valid until ${expiresAt}.`,
        ],
        data: { cookie, session: id, expiresAt },
        lines: [cookie],
        hints: [
          `hint: Save the value with COOKIE=$(npx dashboard-api session issue …), and send it as the cookie "${sessionCookie}":`,
          `  curl --cookie "${sessionCookie}=$COOKIE" http://127.0.0.1:${port}/v1/auth/me`,
        ],
      }
    },
  })

/** @throws UserError for an invalid option, SettingsError for a missing secret */
async function readGrant({ user, createUser, organization: orgCode, permissions, ttl }: OptionValues) {
  const key: string = createUser ? await normalizeEmail(user) : user
  if (orgCode === '') {
    throw new UserError('The organisation code is empty.', 'For none, leave out --organization.')
  }
  const { keyText } = await import('../../store/state-file.js')
  if (!keyText().optional().safeParse(orgCode).success) {
    throw new UserError('The organisation code cannot be stored.', 'It has at most 255 characters.')
  }
  const names = ['sessionSecret', 'sessionCookie', 'sessionTtl'] as const
  const { sessionSecret, sessionCookie, sessionTtl } = await requireSettings({}, names, {
    sessionSecret: 'Use the secret of the server: it refuses cookies that another one signed.',
  }).catch((error) => {
    throw Object.assign(error, { hint: '"npx dashboard-api session issue --help" shows the usage.' })
  })
  const ttlMs: number = ttl ?? Math.min(sessionTtl, maxTtlMs)
  if (ttlMs > maxTtlMs) {
    throw new UserError(
      `A session may last ${formatDuration(maxTtlMs)} at most, not ${formatDuration(ttlMs)}.`,
      'Give a shorter --ttl.',
    )
  }
  return {
    key,
    orgCode,
    permissions: [...new Set<string>(permissions)],
    ttlMs,
    sessionSecret,
    sessionCookie,
  }
}

/** `ada.osei@example.com` is named Ada Osei until an identity provider sends other names. */
async function addUser(store: Store, email: string) {
  const { newId } = await import('../../store/new-id.js')
  const [givenName = '', ...rest] = email
    .slice(0, email.indexOf('@'))
    .split(/[._+-]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const user = { id: newId(), email, givenName, familyName: rest.join(' '), picture: '' }
  await store.addUser(user)
  return user
}
