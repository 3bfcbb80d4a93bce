import type { Command } from 'commander'
import { backup } from './database/backup.js'
import { check } from './database/check.js'
import { migrate } from './database/migrate.js'
import { restore } from './database/restore.js'
import { vacuum } from './database/vacuum.js'
import { examples } from './options.js'

export const database = (program: Command) => {
  const group = program
    .command('database')
    .description("Look after production's SQLite file: check, migrate, back up, restore, vacuum.")
    .addHelpText(
      'after',
      examples('npx dashboard-api database check', 'npx dashboard-api database backup dashboard.backup.db'),
    )
  for (const add of [check, migrate, backup, restore, vacuum]) add(group)
}
