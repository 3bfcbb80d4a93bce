import { type Command, Option } from 'commander'
import type { SessionRecord } from '../../store/state-file.js'
import type { Store, StoreReader } from '../../store/store.js'
import { databaseOptions, examples, yesOption } from '../options.js'
import { printMessage, show, showRecord, showTable } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { UserError } from '../user-error.js'
import { findSession, findUsers, type ListedSession, listedSession, sessionState } from './find-records.js'
import { readDatabase, withDatabase } from './open-database.js'

const issueExample =
  'id=$(npx dashboard-api session issue --user ada@acme.example --permissions "" --json | node -p "JSON.parse(fs.readFileSync(0)).session")'

/**
 * Prints every session of a database, the oldest first.
 * @param database the value of `--database`
 */
export async function showSessions(database: string | undefined, json?: boolean): Promise<void> {
  const sessions = await readDatabase(database, async (store) =>
    Promise.all((await store.listSessions()).map((session) => withEmail(store, session))),
  )
  await showTable({ data: { sessions }, columns, rows: sessions, emptyText: 'There is no session.' }, json)
}

export const defineShow = (showCommand: Command) =>
  databaseOptions(showCommand)
    .description('Show a production session.')
    .argument('<id>', 'its id, as "session list --database" shows it')
    .addHelpText('after', examples(issueExample, 'npx dashboard-api session show "$id"'))
    .action(async (id, { database, json }) => {
      const session = await readDatabase(database, async (store, file) =>
        withEmail(store, await findSession(store, file, id)),
      )
      await showRecord(
        {
          data: { session },
          fields: [
            ['Session', session.id],
            ['State', session.state],
            ['Email', session.email],
            ['User', session.userId],
            ['Organisation', session.orgCode ?? 'none'],
            ['Permissions', session.permissions.join(',') || 'none'],
            ['Created', session.createdAt],
            ['Last seen', session.lastSeenAt],
            ['Expires', session.expiresAt],
            ['Revoked', session.revokedAt],
          ],
        },
        json,
      )
    })

export const defineRevoke = (revoke: Command) =>
  databaseOptions(
    revoke
      .addOption(
        new Option('--all-of-user <user>', 'revoke every session of this address or user id').conflicts(
          'allOfOrganization',
        ),
      )
      .option('--all-of-organization <code>', 'revoke every session with this organisation code')
      .addOption(yesOption()),
  )
    .description('Revoke a production session, or all sessions of a user or an organisation, at once.')
    .argument('[id]', 'its id, as "session list --database" shows it')
    .addHelpText(
      'after',
      '\nRevoking one session asks nothing; revoking all of a user or an organisation asks first.',
    )
    .addHelpText(
      'after',
      examples(
        issueExample,
        'npx dashboard-api session revoke "$id"',
        'npx dashboard-api session revoke --all-of-user ada@acme.example --yes',
      ),
    )
    .action(async (id, { allOfUser: user, allOfOrganization: organization, ...options }) => {
      if ([id, user, organization].filter((value) => value !== undefined).length !== 1) {
        throw new UserError(
          'Give either the id of a session, or --all-of-user, or --all-of-organization.',
          '"npx dashboard-api session revoke --help" shows the usage.',
        )
      }
      if (id !== undefined) await revokeOne(id, options)
      else await revokeAll(user === undefined ? { organization } : { user }, options)
    })

type Options = { database?: string; json?: boolean; yes?: boolean }
/** The owner of sessions: a user by address or id, or an organisation by code. */
type Owner = { user: string } | { organization: string }

async function revokeOne(id: string, { database, json }: Options) {
  const revoked = await withDatabase(database, async (store, file) => {
    await findSession(store, file, id)
    return store.revokeSession(id, new Date().toISOString())
  })
  printMessage(revoked ? `Revoked ${id}.` : `${id} was revoked already.`)
  await show({ data: { session: id, revoked }, lines: [id] }, json)
}

async function revokeAll(owner: Owner, { database, json, yes }: Options) {
  const { confirm } = await import('../output/confirm.js')
  const name = 'user' in owner ? owner.user : owner.organization
  const revoked = await withDatabase(database, (store, file) =>
    revokeSessionsOf(store, file, owner, (open) =>
      confirm(`This revokes ${pluralize(open, 'open session')} of ${name} at once.`, yes),
    ),
  )
  printMessage(`Revoked ${pluralize(revoked, 'session')} of ${name}.`)
  await show({ data: { ...owner, revoked }, lines: [String(revoked)] }, json)
}

/**
 * Revokes all open sessions of an owner; of all users with an address if several have it.
 * @param confirmOpen called with the number of open sessions before any is revoked; it throws to cancel
 * @returns the number of revoked sessions
 */
async function revokeSessionsOf(
  store: Store,
  file: string,
  owner: Owner,
  confirmOpen: (open: number) => Promise<void>,
): Promise<number> {
  const userIds = 'user' in owner ? (await findUsers(store, file, owner.user)).map(({ id }) => id) : []
  const isOwned = ({ userId, orgCode }: SessionRecord) =>
    'user' in owner ? userIds.includes(userId) : orgCode === owner.organization
  const open = (await store.listSessions()).filter((each) => isOwned(each) && sessionState(each) === 'open')
  if (open.length === 0) return 0
  await confirmOpen(open.length)
  const now = new Date().toISOString()
  if ('organization' in owner) return store.revokeSessionsOfOrganization(owner.organization, now)
  let revoked = 0
  for (const id of userIds) revoked += await store.revokeSessionsOfUser(id, now)
  return revoked
}

const withEmail = async (store: StoreReader, session: SessionRecord): Promise<ListedSession> =>
  listedSession(session, (await store.user(session.userId))?.email ?? '')

const stateTones = { open: 'good', expired: 'faint', revoked: 'bad' } as const

const columns = [
  { title: 'Session', value: ({ id }: ListedSession) => id },
  {
    title: 'State',
    value: ({ state }: ListedSession) => state,
    tone: ({ state }: ListedSession) => stateTones[state],
  },
  { title: 'Email', value: ({ email }: ListedSession) => email, shrinks: true },
  { title: 'Organisation', value: ({ orgCode }: ListedSession) => orgCode, shrinks: true },
  { title: 'Permissions', value: ({ permissions }: ListedSession) => permissions.join(','), shrinks: true },
  { title: 'Expires', value: ({ expiresAt }: ListedSession) => expiresAt, shrinks: true },
  { title: 'Last seen', value: ({ lastSeenAt }: ListedSession) => lastSeenAt, shrinks: true },
]
