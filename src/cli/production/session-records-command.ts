import { type Command, Option } from 'commander'
import type { SessionRecord } from '../../store/state-file.js'
import type { Store, StoreReader } from '../../store/store.js'
import { yesOption } from '../options.js'
import type { Result } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { UserError } from '../user-error.js'
import { findSession, findUsers, type ListedSession, listedSession, sessionState } from './find-records.js'
import { readDatabase } from './open-database.js'
import { storeCommand } from './store-command.js'

const issueExample =
  'id=$(npx dashboard-api session issue --user ada@acme.example --permissions "" --json | node -p "JSON.parse(fs.readFileSync(0)).session")'

/** Every session of a database, the oldest first. @param database the value of `--database` */
export async function sessionsResult(database: string | undefined): Promise<Result> {
  const sessions = await readDatabase(database, async (store) =>
    Promise.all((await store.listSessions()).map((session) => withEmail(store, session))),
  )
  return { data: { sessions }, table: { columns, rows: sessions, emptyText: 'There is no session.' } }
}

/** `session show` and `session revoke`. */
export function defineRecords(group: Command): void {
  storeCommand(group, 'show <id>', {
    about: 'Show a production session.',
    args: ['its id, as "session list --database" shows it'],
    examples: [issueExample, 'npx dashboard-api session show "$id"'],
    async read(store, { id }, file) {
      const session = await withEmail(store, await findSession(store, file, id))
      return {
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
      }
    },
  })

  storeCommand(group, 'revoke [id]', {
    about: 'Revoke a production session, or all sessions of a user or an organisation, at once.',
    args: ['its id, as "session list --database" shows it'],
    options: [
      new Option('--all-of-user <user>', 'revoke every session of this address or user id').conflicts(
        'allOfOrganization',
      ),
      ['--all-of-organization <code>', 'revoke every session with this organisation code'],
      yesOption(),
    ],
    notes: '\nRevoking one session asks nothing; revoking all of a user or an organisation asks first.',
    examples: [
      issueExample,
      'npx dashboard-api session revoke "$id"',
      'npx dashboard-api session revoke --all-of-user ada@acme.example --yes',
    ],
    check({ id, allOfUser, allOfOrganization }) {
      if ([id, allOfUser, allOfOrganization].filter((value) => value !== undefined).length === 1) return
      throw new UserError(
        'Give either the id of a session, or --all-of-user, or --all-of-organization.',
        '"npx dashboard-api session revoke --help" shows the usage.',
      )
    },
    async write(store, { id, allOfUser: user, allOfOrganization: organization, yes }, file) {
      if (id !== undefined) {
        await findSession(store, file, id)
        const revoked = await store.revokeSession(id, new Date().toISOString())
        const message = revoked ? `Revoked ${id}.` : `${id} was revoked already.`
        return { message, data: { session: id, revoked }, lines: [id] }
      }
      const owner: Owner = user === undefined ? { organization } : { user }
      const revoked = await revokeSessionsOf(store, file, owner, async (open) => {
        const { confirm } = await import('../output/confirm.js')
        await confirm(
          `This revokes ${pluralize(open, 'open session')} of ${user ?? organization} at once.`,
          yes,
        )
      })
      const message = `Revoked ${pluralize(revoked, 'session')} of ${user ?? organization}.`
      return { message, data: { ...owner, revoked }, lines: [String(revoked)] }
    },
  })
}

/** The owner of sessions: a user by address or id, or an organisation by code. */
type Owner = { user: string } | { organization: string }

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
