import type { Command } from 'commander'
import { settingsTable } from '../server/settings/settings-table.js'
import { addCommand, addExamples } from './define-command.js'
import { define as defineControls } from './mock/control-groups.js'
import { controlMock } from './mock/control-mock.js'
import { personas } from './mock/mock-tables.js'
import { orDatabaseOption, usesMock } from './mock-or-database.js'
import { jsonOption, spaceOption, urlOption } from './options.js'
import { defineIssue } from './production/session-issue-command.js'
import { defineRecords, listSessions } from './production/session-records-command.js'

const { env: database } = settingsTable.database

export const define = (session: Command) => {
  addExamples(session, session, ['list', 'use acme-viewer'])
  addCommand(session, 'list', {
    about: `List the personas of a running mock; with --database, or with $${database} and no address of a mock, the sessions of production.`,
    options: [urlOption(), spaceOption(), orDatabaseOption(), jsonOption()],
    examples: ['', '--database data/dashboard.db --json'],
    async run(given) {
      if (usesMock(given)) return personas(await controlMock(given)('sessions'))
      await listSessions(given)
      return undefined
    },
  })
  defineControls(session)
  defineIssue(session)
  defineRecords(session)
}
