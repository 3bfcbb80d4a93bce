import type { Command } from 'commander'
import type { UserRecord } from '../../store/state-file.js'
import { databaseOptions, examples } from '../options.js'
import { showRecord } from '../output/output.js'
import { showList } from '../output/show-list.js'
import { UserError } from '../user-error.js'
import { allUsers, findUsers } from './find-users.js'
import { listedSession } from './listed-session.js'
import { withDatabase } from './open-database.js'

export const define = (user: Command) => {
  user
    .description('Show the users of a database.')
    .addHelpText('after', examples('npx dashboard-api user list'))

  databaseOptions(user.command('list'))
    .description('List the users by id.')
    .addHelpText('after', examples('npx dashboard-api user list', 'npx dashboard-api user list --json'))
    .action(({ database, json }) =>
      withDatabase(database, (store) =>
        showList({ name: 'users', columns, rows: allUsers(store), emptyText: 'There is no user.' }, json),
      ),
    )

  databaseOptions(user.command('show'))
    .description('Show a user with the identity provider and the sessions.')
    .argument('<user>', 'the address or the id')
    .addHelpText('after', examples('npx dashboard-api user show ada@acme.example'))
    .action(async (key, { database, json }) => {
      const { user, sessions } = await withDatabase(database, async (store, file) => {
        const users = await findUsers(store, file, key)
        const [user] = users
        if (!user || users.length > 1) {
          const ids = users.map(({ id }) => id).join(', ')
          throw new UserError(`Several users have the address "${key}".`, `Give the id of one: ${ids}.`)
        }
        const records = (await store.listSessions()).filter(({ userId }) => userId === user.id)
        return { user, sessions: records.map((record) => listedSession(record, user.email)) }
      })
      const open = sessions.filter(({ state }) => state === 'open').map(({ id }) => id)
      await showRecord(
        {
          data: { user, sessions },
          fields: [
            ['Id', user.id],
            ['Email', user.email],
            ['Given name', user.givenName],
            ['Family name', user.familyName],
            ['Picture', user.picture],
            ['Issuer', user.issuer],
            ['Subject', user.subject],
            ['Open sessions', open.join(', ') || 'none'],
            ['Ended sessions', String(sessions.length - open.length)],
          ],
        },
        json,
      )
    })
}

const columns = [
  { title: 'Email', value: ({ email }: UserRecord) => email },
  {
    title: 'Name',
    value: ({ givenName, familyName }: UserRecord) => `${givenName} ${familyName}`.trim(),
    shrinks: true,
  },
  { title: 'Issuer', value: ({ issuer }: UserRecord) => issuer, shrinks: true },
  { title: 'Id', value: ({ id }: UserRecord) => id, tone: () => 'faint' as const, shrinks: true },
]
