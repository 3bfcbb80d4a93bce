import type { Command } from 'commander'
import type { StateCounts, UserRecord } from '../../store/state-file.js'
import { databaseOptions, examples, yesOption } from '../options.js'
import { printJson, printMessage, show, showRecord } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printable } from '../output/printable.js'
import { showList } from '../output/show-list.js'
import { UserError } from '../user-error.js'
import { confirmRemoval } from './confirm-removal.js'
import { allUsers, auditOf, findPerson, findUsers, listedSession } from './find-records.js'
import { readDatabase } from './open-database.js'

export const define = (user: Command) => {
  user
    .description('Show, export and remove the users of a database.')
    .addHelpText('after', examples('npx dashboard-api user list'))

  databaseOptions(user.command('list'))
    .description('List the users by id.')
    .addHelpText('after', examples('npx dashboard-api user list', 'npx dashboard-api user list --json'))
    .action(({ database, json }) =>
      readDatabase(database, (store) =>
        showList({ name: 'users', columns, rows: allUsers(store), emptyText: 'There is no user.' }, json),
      ),
    )

  databaseOptions(user.command('show'))
    .description('Show a user with the identity provider and the sessions.')
    .argument('<user>', 'the address or the id')
    .addHelpText('after', examples('npx dashboard-api user show ada@acme.example'))
    .action(async (key, { database, json }) => {
      const { user, sessions } = await readDatabase(database, async (store, file) => {
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

  databaseOptions(user.command('export'))
    .description(
      'Print everything that is stored of a person, as JSON: users, sessions, waitlist entry, audit log.',
    )
    .argument('<user>', 'the address or the id; an address stands for all users who have it')
    .addHelpText('after', examples('npx dashboard-api user export ada@acme.example'))
    .action(async (key, { database, json }) => {
      const person = await readDatabase(database, async (store, file) => {
        const found = await findPerson(store, file, key)
        return { ...found, audit: await auditOf(store, found) }
      })
      printJson(person, json ? 0 : 2)
    })

  databaseOptions(user.command('remove').addOption(yesOption()))
    .description(
      'Remove a person for good: users, sessions, waitlist entry. Projects belong to teams, and stay.',
    )
    .argument('<user>', 'the address or the id; an address stands for all users who have it')
    .addHelpText('after', examples('npx dashboard-api user remove ada@acme.example --yes'))
    .action(async (key, { json, ...options }) => {
      const { subject, removed } = await confirmRemoval(options, async (store, file) => {
        const person = await findPerson(store, file, key)
        const removal = {
          users: person.users.map(({ id }) => id),
          waitlist: person.waitlist.map(({ email }) => email),
        }
        const sessions = person.users.flatMap((user) => user.sessions).length
        const counts = { users: person.users.length, sessions, waitlist: person.waitlist.length }
        return { subject: removal, removal, question: `This removes ${key} for good: ${partsOf(counts)}.` }
      })
      printMessage(`Removed ${printable(key)}: ${partsOf(removed)}.`)
      await show({ data: { ...subject, removed }, lines: [...subject.users, ...subject.waitlist] }, json)
    })
}

const partsOf = ({ users, sessions, waitlist }: Omit<StateCounts, 'teams' | 'projects'>) =>
  `${pluralize(users, 'user')}, ${pluralize(sessions, 'session')}, ${pluralize(waitlist, 'entry', 'entries')} of the waitlist`

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
