import { type Command, InvalidArgumentError, Option } from 'commander'
import type { SeedCounts } from '../actions/seed.js'
import { printMessage, showTable } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { demoFixture } from '../package.js'
import { examples, jsonOption, settingOption, yesOption } from './options.js'

type Kind = keyof SeedCounts

const about = `
Sessions and the waitlist of a file are left out: a persona never becomes a production session.

With --teams, --users, --projects or --seed the data is generated. The same seed gives the same records, ids and
times (of the year 2025) included, with one version of this package; more teams or projects add to those of fewer.
What is there already stays: a run that was interrupted is completed by running it again. The teams have the
organisation codes org_s<seed>_1, org_s<seed>_2 and so on. It asks before it adds to data that was not generated.
`

export const seed = (program: Command) =>
  program
    .command('seed')
    .description('Load teams, users and projects into a database: of a state file, or generated ones.')
    .addOption(settingOption('database', '<file>'))
    .addOption(
      new Option('--from <file>', 'the state file (default: the demo fixture)').conflicts([
        'teams',
        'users',
        'projects',
        'seed',
      ]),
    )
    .addOption(amountOption('--teams <count>', 'generate this many teams (default: 10)'))
    .addOption(amountOption('--users <count>', 'users of each team (default: 5)'))
    .addOption(amountOption('--projects <count>', 'projects of each team (default: 10)'))
    .addOption(amountOption('--seed <number>', 'what the generated data comes from (default: 1)'))
    .addOption(yesOption())
    .addOption(jsonOption('print JSON; JSON lines where data is generated'))
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api seed',
        'npx dashboard-api seed --database data/trial.db --json',
        'npx dashboard-api seed --database data/large.db --teams 20 --projects 50 --users 5 --seed 42',
      ),
    )
    .action(async ({ from, database, json, yes, teams, users, projects, seed }) => {
      const amounts = [teams, users, projects, seed]
      if (amounts.every((amount) => amount === undefined)) await seedFile({ from, database }, json)
      else await generate({ database, teams, users, projects, seed }, { json, yes })
    })

async function seedFile(
  { from = demoFixture(), database }: { from?: string; database?: string },
  json?: boolean,
) {
  const { seedDatabase } = await import('../actions/seed.js')
  const report = await seedDatabase({ database, from })
  const columns = [
    { title: 'Kind', value: (kind: Kind) => kind },
    { title: 'Created', value: (kind: Kind) => String(report.created[kind]) },
    { title: 'There already', value: (kind: Kind) => String(report.existing[kind]) },
  ]
  const rows: Kind[] = ['teams', 'users', 'projects']
  printMessage(`Seeded ${report.database} from ${report.from}.`)
  await showTable({ data: report, columns, rows, nothing: 'Nothing to seed.' }, json)
}

type Generate = { database?: string; teams?: number; users?: number; projects?: number; seed?: number }

async function generate(options: Generate, { json, yes }: { json?: boolean; yes?: boolean }) {
  const { database, teams = 10, users = 5, projects = 10, seed = 1 } = options
  const [{ seedGenerated }, { seedPrinter }, { confirm }] = await Promise.all([
    import('../actions/seed-generated.js'),
    import('../output/seed-printer.js'),
    import('../output/confirm.js'),
  ])
  const printer = seedPrinter(json)
  const records = pluralize(teams * (1 + users + projects), 'record')
  const agree = (foreign: string) => confirm(`${foreign} This adds ${records}.`, yes)
  try {
    const report = await seedGenerated(
      { database, teams, users, projects, seed },
      { agree, onProgress: printer.progress },
    )
    await printer.stop()
    printer.end(report)
  } catch (error) {
    await printer.stop(error)
    throw error
  }
}

function amountOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (!/^\d{1,9}$/.test(text))
      throw new InvalidArgumentError('Expected a whole number from 0 to 999999999.')
    return Number(text)
  })
}
