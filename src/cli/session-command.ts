import { type Command, Option } from 'commander'
import { settingsTable } from '../server/settings/settings-table.js'
import { defineCurrent, defineUse, showPersonas } from './mock/persona-command.js'
import { examples, jsonOption, mockUrl, spaceOption, urlOption } from './options.js'
import { defineIssue } from './production/session-issue-command.js'
import { defineRevoke, defineShow, showSessions } from './production/session-records-command.js'

const { env: database } = settingsTable.database

export const define = (session: Command) => {
  session
    .description(
      'Personas of a running mock (list, use, current); sessions of production (issue, list, show, revoke).',
    )
    .addHelpText(
      'after',
      examples('npx dashboard-api session list', 'npx dashboard-api session use acme-viewer'),
    )
  session
    .command('list')
    .description(
      `List the personas of a running mock; with --database, or with $${database} and no address of a mock, the sessions of production.`,
    )
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(
      new Option(
        '--database <file>',
        'list the sessions in this SQLite file, or at this PostgreSQL address',
      ).conflicts(['url', 'space']),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api session list',
        'npx dashboard-api session list --database data/dashboard.db --json',
      ),
    )
    .action(({ database: flag, json, ...address }) => {
      const isMock = address.url || address.space || process.env[mockUrl.env] || !process.env[database]
      return flag === undefined && isMock ? showPersonas(address, json) : showSessions(flag, json)
    })
  defineUse(session.command('use'))
  defineCurrent(session.command('current'))
  defineIssue(session.command('issue'))
  defineShow(session.command('show'))
  defineRevoke(session.command('revoke'))
}
