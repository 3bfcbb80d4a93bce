import type { Command } from 'commander'
import type { SeedCounts } from '../actions/seed.js'
import { note, showTable } from '../output.js'
import { demoFixture } from '../package.js'
import { examples, jsonOption, settingOption } from './options.js'

type Kind = keyof SeedCounts

export const seed = (program: Command) =>
  program
    .command('seed')
    .description(
      'Load teams, users and projects of a state file into a database; what is there already stays.',
    )
    .addOption(settingOption('database', '<file>'))
    .option('--from <file>', 'the state file (default: the demo fixture)')
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nSessions and the waitlist of the file are left out: a persona never becomes a production session.\n',
    )
    .addHelpText(
      'after',
      examples('npx dashboard-api seed', 'npx dashboard-api seed --database data/trial.db --json'),
    )
    .action(async ({ json, from = demoFixture(), database }) => {
      const { seedDatabase } = await import('../actions/seed.js')
      const report = await seedDatabase({ database, from })
      const columns = [
        { title: 'Kind', value: (kind: Kind) => kind },
        { title: 'Created', value: (kind: Kind) => String(report.created[kind]) },
        { title: 'There already', value: (kind: Kind) => String(report.existing[kind]) },
      ]
      const rows: Kind[] = ['teams', 'users', 'projects']
      note(`Seeded ${report.database} from ${report.from}.`)
      await showTable({ data: report, columns, rows, nothing: 'Nothing to seed.' }, json)
    })
