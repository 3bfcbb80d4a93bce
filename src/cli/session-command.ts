import type { Command } from 'commander'
import { settingsTable } from '../server/settings/settings-table.js'
import { addExamples } from './mock/control-command.js'
import { controlMock } from './mock/control-mock.js'
import { personas } from './mock/mock-tables.js'
import { definePersonaCommands } from './mock/session-commands.js'
import { orDatabaseOption, usesMock } from './mock-or-database.js'
import { examples, jsonOption, spaceOption, urlOption } from './options.js'
import { defineIssue } from './production/session-issue-command.js'
import { defineRevoke, defineShow, showSessions } from './production/session-records-command.js'

const { env: database } = settingsTable.database

export const define = (session: Command) => {
  session.description(
    'Personas of a running mock (list, use, current); sessions of production (issue, list, show, revoke).',
  )
  addExamples(session, session, ['list', 'use acme-viewer'])
  session
    .command('list')
    .description(
      `List the personas of a running mock; with --database, or with $${database} and no address of a mock, the sessions of production.`,
    )
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(orDatabaseOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api session list',
        'npx dashboard-api session list --database data/dashboard.db --json',
      ),
    )
    .action(async (options) =>
      usesMock(options)
        ? personas(await controlMock(options)('sessions'), options)
        : showSessions(options.database, options.json),
    )
  definePersonaCommands(session)
  defineIssue(session.command('issue'))
  defineShow(session.command('show'))
  defineRevoke(session.command('revoke'))
}
