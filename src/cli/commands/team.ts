import type { Command } from 'commander'
import { examples } from './options.js'
import { create } from './team/create.js'
import { list } from './team/list.js'
import { rename } from './team/rename.js'
import { show } from './team/show.js'

export const team = (program: Command) => {
  const group = program
    .command('team')
    .description('The teams of a database; a running server sees each change on its next request.')
    .addHelpText('after', examples('npx dashboard-api team list'))
  for (const add of [list, show, create, rename]) add(group)
}
