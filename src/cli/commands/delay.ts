import type { Command } from 'commander'
import { clear } from './delay/clear.js'
import { set } from './delay/set.js'
import { show } from './delay/show.js'
import { examples } from './options.js'

export const delay = (program: Command) => {
  const group = program
    .command('delay')
    .description('Make a running mock answer late.')
    .addHelpText(
      'after',
      '\nAn answer that never comes, and a broken connection, are outcomes: "scenario set OPERATION hang" or "drop".',
    )
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api delay set 300',
        'npx dashboard-api delay set 200-800 createProject',
        'npx dashboard-api delay clear',
      ),
    )
  for (const add of [set, show, clear]) add(group)
}
