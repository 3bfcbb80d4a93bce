import type { Command } from 'commander'
import { defineStateImport } from './json-server/state-import-command.js'
import { define as defineControls } from './mock/control-groups.js'
import { defineFromDatabase } from './production/state-from-database-command.js'

export const define = (state: Command) => {
  defineControls(state)
  defineFromDatabase(state, 'from-database')
  defineStateImport(state, 'import <file>')
}
