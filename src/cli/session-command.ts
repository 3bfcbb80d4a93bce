import type { Command } from 'commander'
import { settingsTable } from '../server/settings/settings-table.js'
import { addExamples } from './define-command.js'
import { controlCommand } from './mock/control-command.js'
import { define as defineControls } from './mock/control-groups.js'
import { defineIssue } from './production/session-issue-command.js'
import { defineRecords, listSessions } from './production/session-records-command.js'

const { env: database } = settingsTable.database

export const define = (session: Command) => {
  addExamples(session, session, ['list', 'use acme-viewer'])
  controlCommand(session, 'list', 'sessions', {
    about: `List the personas of a running mock; with --database, or with $${database} and no address of a mock, the sessions of production.`,
    orDatabase: listSessions,
    examples: ['', '--database data/dashboard.db --json'],
  })
  defineControls(session)
  defineIssue(session)
  defineRecords(session)
}
