import type { Command } from 'commander'
import { examples } from './options.js'
import { add } from './waitlist/add.js'
import { exportCommand } from './waitlist/export.js'
import { importCommand } from './waitlist/import.js'
import { list } from './waitlist/list.js'
import { remove } from './waitlist/remove.js'
import { stats } from './waitlist/stats.js'

export const waitlist = (program: Command) => {
  const group = program
    .command('waitlist')
    .description('The early-access waitlist of a database.')
    .addHelpText('after', examples('npx dashboard-api waitlist list'))
  for (const addCommand of [list, add, remove, importCommand, stats, exportCommand]) addCommand(group)
}
