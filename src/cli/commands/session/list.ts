import { type Command, Option } from 'commander'
import type { Persona } from '../../../mock/core/controls.js'
import type { ListedSession } from '../../actions/listed-session.js'
import type { MockAt } from '../../actions/mock.js'
import { showTable } from '../../output/output.js'
import { examples, jsonOption, spaceOption, urlOption } from '../options.js'

export const list = (session: Command) =>
  session
    .command('list')
    .description('Show the personas of a running mock, or with --database the sessions of production.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(
      new Option('--database <file>', 'show the sessions of this SQLite file').conflicts(['url', 'space']),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api session list',
        'npx dashboard-api session list --database data/dashboard.db --json',
      ),
    )
    .action(({ database, json, ...at }) =>
      database === undefined ? showPersonas(at, json) : showSessions(database, json),
    )

async function showPersonas(at: MockAt, json?: boolean) {
  const { mockAt } = await import('../../actions/mock.js')
  const data = await mockAt(at)('sessions')
  const columns = [
    { title: 'Active', value: ({ id }: Persona) => (id === data.active ? '*' : '') },
    { title: 'Persona', value: ({ id }: Persona) => id },
    { title: 'Email', value: ({ email }: Persona) => email, yields: true },
    { title: 'Organisation', value: ({ orgCode }: Persona) => orgCode },
    { title: 'Role', value: ({ role }: Persona) => role },
    { title: 'Note', value: ({ note }: Persona) => note, yields: true },
  ]
  await showTable({ data, columns, rows: data.sessions, nothing: 'The mock has no persona.' }, json)
}

async function showSessions(database: string, json?: boolean) {
  const { listSessions } = await import('../../actions/sessions.js')
  const sessions = await listSessions(database)
  const columns = [
    { title: 'Session', value: ({ id }: ListedSession) => id },
    {
      title: 'State',
      value: ({ state }: ListedSession) => state,
      tone: ({ state }: ListedSession) => stateTones[state],
    },
    { title: 'Email', value: ({ email }: ListedSession) => email, yields: true },
    { title: 'Organisation', value: ({ orgCode }: ListedSession) => orgCode, yields: true },
    {
      title: 'Permissions',
      value: ({ permissions }: ListedSession) => permissions.join(','),
      yields: true,
    },
    { title: 'Expires', value: ({ expiresAt }: ListedSession) => expiresAt, yields: true },
    { title: 'Last seen', value: ({ lastSeenAt }: ListedSession) => lastSeenAt, yields: true },
  ]
  await showTable({ data: { sessions }, columns, rows: sessions, nothing: 'There is no session.' }, json)
}

const stateTones = { open: 'good', expired: 'faint', revoked: 'bad' } as const
