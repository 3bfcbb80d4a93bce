import type { Command } from 'commander'
import { examples } from './options.js'
import { current } from './session/current.js'
import { issue } from './session/issue.js'
import { list } from './session/list.js'
import { revoke } from './session/revoke.js'
import { show } from './session/show.js'
import { use } from './session/use.js'

export const session = (program: Command) => {
  const group = program
    .command('session')
    .description(
      'Personas of a running mock (list, use, current); sessions of production (issue, list, show, revoke).',
    )
    .addHelpText(
      'after',
      examples('npx dashboard-api session list', 'npx dashboard-api session use acme-viewer'),
    )
  for (const add of [list, use, current, issue, show, revoke]) add(group)
}
