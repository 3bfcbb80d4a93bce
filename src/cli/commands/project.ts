import type { Command } from 'commander'
import { examples } from './options.js'
import { list } from './project/list.js'

export const project = (program: Command) => {
  const group = program
    .command('project')
    .description('The projects of a database.')
    .addHelpText('after', examples('npx dashboard-api project list --team org_acme'))
  list(group)
}
