import type { Command } from 'commander'
import { addExamples } from './define-command.js'
import { define as defineControls } from './mock/control-groups.js'
import { defineIssue } from './production/session-issue-command.js'
import { defineRecords } from './production/session-records-command.js'

export const define = (session: Command) => {
  addExamples(session, session, ['use acme-viewer', 'list --database data/dashboard.db'])
  defineControls(session)
  defineIssue(session)
  defineRecords(session)
}
