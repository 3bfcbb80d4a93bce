import type { Command } from 'commander'
import { examples } from './options.js'
import { clear } from './scenario/clear.js'
import { list } from './scenario/list.js'
import { set } from './scenario/set.js'

export const scenario = (program: Command) => {
  const group = program
    .command('scenario')
    .description('Force what a running mock answers.')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api scenario set createProject PROJECT_NAME_TAKEN --times 1',
        'npx dashboard-api scenario set empty',
        'npx dashboard-api scenario list --possible',
        'npx dashboard-api scenario clear',
      ),
    )
  for (const add of [set, list, clear]) add(group)
}
