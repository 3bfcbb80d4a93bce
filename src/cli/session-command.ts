import { type Command, Option } from 'commander'
import { defineCurrent, defineUse, showPersonas } from './mock/persona-command.js'
import { examples, jsonOption, spaceOption, urlOption } from './options.js'
import { defineIssue } from './production/session-issue-command.js'
import { defineRevoke, defineShow, showSessions } from './production/session-records-command.js'

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
    .description('List the personas of a running mock, or with --database the sessions of production.')
    .addOption(urlOption())
    .addOption(spaceOption())
    .addOption(
      new Option('--database <file>', 'list the sessions in this SQLite file').conflicts(['url', 'space']),
    )
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api session list',
        'npx dashboard-api session list --database data/dashboard.db --json',
      ),
    )
    .action(({ database, json, ...address }) =>
      database === undefined ? showPersonas(address, json) : showSessions(database, json),
    )
  defineUse(session.command('use'))
  defineCurrent(session.command('current'))
  defineIssue(session.command('issue'))
  defineShow(session.command('show'))
  defineRevoke(session.command('revoke'))
}
