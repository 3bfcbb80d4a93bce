import type { Command } from 'commander'
import { examples } from './options.js'
import { list } from './user/list.js'
import { show } from './user/show.js'

export const user = (program: Command) => {
  const group = program
    .command('user')
    .description('The users of a database.')
    .addHelpText('after', examples('npx dashboard-api user list'))
  for (const add of [list, show]) add(group)
}
