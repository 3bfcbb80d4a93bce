import type { Command } from 'commander'
import { yesOption } from '../options.js'
import type { Columns } from '../output/columns.js'
import { confirm } from '../output/confirm.js'
import { pluralize } from '../output/pluralize.js'
import { UserError } from '../user-error.js'
import { findSession, findUsers, type ListedSession, listedSession, listRecords } from './find-records.js'
import { storeCommand } from './store-command.js'

const issueExample =
  'id=$(npx dashboard-api session issue --user ada@acme.example --permissions "" --json | node -p "JSON.parse(fs.readFileSync(0)).session")'

/** `session list`, `session show` and `session revoke`. */
export function defineRecords(group: Command): void {
  storeCommand(group, 'list', {
    about: 'List the sessions of a database, the last added first.',
    examples: ['', '--database data/dashboard.db --json'],
    read(store) {
      const { entries, count } = listRecords(store, 'sessions')
      async function* rows() {
        for await (const { email, ...session } of entries) yield listedSession(session, email)
      }
      return { table: { name: 'sessions', columns, rows: rows(), count, emptyText: 'There is no session.' } }
    },
  })

  storeCommand(group, 'show <id>', {
    about: 'Show a production session.',
    args: ['its id, as "session list" shows it'],
    examples: [issueExample, 'npx dashboard-api session show "$id"'],
    async read(store, { id }, file) {
      const found = await findSession(store, file, id)
      const session = listedSession(found, (await store.user(found.userId))?.email ?? '')
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
    args: ['its id, as "session list" shows it'],
    options: [
      ['--all-of-user <user>', 'revoke every session of this address or user id'],
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
      const owner = user ?? organization
      const users = user === undefined ? undefined : await findUsers(store, file, user)
      const filters = users?.map(({ id }) => ({ userId: id })) ?? [{ orgCode: organization }]
      const found = await Promise.all(filters.map((filter) => store.listSessions(filter)))
      const open = found.flat().filter(({ revokedAt }) => revokedAt === undefined)
      let revoked = 0
      if (open.length > 0) {
        await confirm(`This revokes ${pluralize(open.length, 'session')} of ${owner} at once.`, yes)
        const now = new Date().toISOString()
        // Several users may have the address.
        if (users) for (const { id } of users) revoked += await store.revokeSessionsOfUser(id, now)
        else revoked = await store.revokeSessionsOfOrganization(organization, now)
      }
      const message = `Revoked ${pluralize(revoked, 'session')} of ${owner}.`
      return { message, data: { user, organization, revoked }, lines: [String(revoked)] }
    },
  })
}

const stateStyles = { open: 'green', expired: 'dim', revoked: 'red' } as const

const columns: Columns<ListedSession> = {
  Session: 'id',
  State: { value: 'state', style: ({ state }) => stateStyles[state] },
  Email: { value: 'email', minWidth: 8 },
  Organisation: { value: 'orgCode', minWidth: 8 },
  Permissions: { value: ({ permissions }) => permissions.join(','), minWidth: 8 },
  Expires: { value: 'expiresAt', minWidth: 8 },
  'Last seen': { value: 'lastSeenAt', minWidth: 8 },
}
