import type { Command } from 'commander'
import type { AuditEntry } from '../../store/audit-log.js'
import type { StateCounts, UserRecord } from '../../store/state-file.js'
import { yesOption } from '../options.js'
import type { Columns } from '../output/columns.js'
import { pluralize } from '../output/pluralize.js'
import {
  allUsers,
  filterAudit,
  findPerson,
  findUsers,
  listedSession,
  requireOne,
  tableRows,
} from './find-records.js'
import { storeCommand } from './store-command.js'

const person = 'the address or the id; an address stands for all users who have it'

export const define = (group: Command) => {
  storeCommand(group, 'list', {
    about: 'List the users by id.',
    examples: ['', '--json'],
    read: (store) => ({
      table: {
        name: 'users',
        columns,
        ...tableRows(allUsers(store)),
        emptyText: 'There is no user.',
      },
    }),
  })

  storeCommand(group, 'show <user>', {
    about: 'Show a user with the identity provider and the sessions.',
    args: ['the address or the id'],
    examples: ['ada@acme.example'],
    async read(store, { user: key }, file) {
      const user = requireOne(await findUsers(store, file, key), key) as UserRecord
      const records = await store.listSessions({ userId: user.id })
      const sessions = records.map((record) => listedSession(record, user.email))
      const open = sessions.filter(({ state }) => state === 'open').map(({ id }) => id)
      return {
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
      }
    },
  })

  storeCommand(group, 'export <user>', {
    about:
      'Print everything that is stored of a person, as JSON: users, sessions, waitlist entry, audit log.',
    args: [person],
    examples: ['ada@acme.example'],
    async read(store, { user: key }, file) {
      const found = await findPerson(store, file, key)
      const audit: AuditEntry[] = []
      for (const { id: userId } of found.users) {
        for await (const entry of filterAudit(store, { userId }).entries) audit.push(entry)
      }
      const stored = { ...found, audit }
      return { data: stored, document: stored }
    },
  })

  storeCommand(group, 'remove <user>', {
    about: 'Remove a person for good: users, sessions, waitlist entry. Projects belong to teams, and stay.',
    args: [person],
    options: [yesOption()],
    examples: ['ada@acme.example --yes'],
    async remove(store, { user: key }, file) {
      const { users, waitlist } = await findPerson(store, file, key)
      const removal = { users: users.map(({ id }) => id), waitlist: waitlist.map(({ email }) => email) }
      const sessions = users.flatMap((user) => user.sessions).length
      const counts = countsText({ users: users.length, sessions, waitlist: waitlist.length })
      return {
        removal,
        question: `This removes ${key} for good: ${counts}.`,
        done: (removed) => ({
          message: `Removed ${key}: ${countsText(removed)}.`,
          data: { ...removal, removed },
          lines: [...removal.users, ...removal.waitlist],
        }),
      }
    },
  })
}

const countsText = ({ users, sessions, waitlist }: Omit<StateCounts, 'teams' | 'projects'>) =>
  `${pluralize(users, 'user')}, ${pluralize(sessions, 'session')}, ${pluralize(waitlist, 'entry', 'entries')} of the waitlist`

const columns: Columns<UserRecord> = {
  Email: 'email',
  Name: { value: ({ givenName, familyName }) => `${givenName} ${familyName}`.trim(), minWidth: 8 },
  Issuer: { value: 'issuer', minWidth: 8 },
  Id: { value: 'id', style: 'dim' },
}
