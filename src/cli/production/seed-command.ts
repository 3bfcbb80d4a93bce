import { type Command, InvalidArgumentError, Option } from 'commander'
import type { StateCounts } from '../../store/state-file.js'
import { examples, jsonOption, settingOption, yesOption } from '../options.js'
import { printJson, printLine, printMessage, showTable } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { demoFixture } from '../package.js'
import { withDatabase } from './open-database.js'
import type { GeneratedReport } from './seed-generated.js'

const about = `
Sessions and the waitlist of a state file are not loaded: a persona never becomes a production session.

With --teams, --users, --projects or --seed the data is generated. With one version of this package, the same seed
generates the same records, with the same ids and times (in the year 2025); more teams or projects add to fewer.
Existing records stay, so running an interrupted command again completes it. The organisation codes of the teams
are org_s<seed>_1, org_s<seed>_2 and so on. Before it adds to data that was not generated, it asks.`

export const define = (seed: Command) =>
  seed
    .description('Load teams, users and projects into a database, from a state file or generated.')
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
    .addOption(amountOption('--seed <number>', 'the seed of the generated data (default: 1)'))
    .addOption(yesOption())
    .addOption(jsonOption('print JSON; JSON lines for generated data'))
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api seed',
        'npx dashboard-api seed --database data/trial.db --json',
        'npx dashboard-api seed --database data/large.db --teams 20 --projects 50 --users 5 --seed 42',
      ),
    )
    .action(async ({ from, ...options }) => {
      const { teams, users, projects, seed } = options
      const isGenerated = [teams, users, projects, seed].some((amount) => amount !== undefined)
      await (isGenerated ? generate(options) : seedFromFile(options, from))
    })

type Options = { database?: string; json?: boolean; yes?: boolean }
type Amounts = { teams?: number; users?: number; projects?: number; seed?: number }

/** The kinds that a seed loads. */
const kinds = ['teams', 'users', 'projects'] as const
type Kind = (typeof kinds)[number]

/** Loads the teams, users and projects of a state file; existing records stay unchanged. */
async function seedFromFile({ database: flag, json }: Options, from = demoFixture()) {
  const { readStateFile, stateFailure } = await import('../read-state-file.js')
  const state = { ...(await readStateFile(from)), sessions: [], waitlist: [] }
  const { database, created, existing } = await withDatabase(
    flag,
    async (store, database) => ({ database, ...(await store.load(state)) }),
    { create: true },
  ).catch(async (error) => {
    throw await stateFailure(from, error)
  })
  const report = { database, from, created: countsOf(created), existing: countsOf(existing) }
  const columns = [
    { title: 'Kind', value: (kind: Kind) => kind },
    { title: 'Created', value: (kind: Kind) => String(created[kind]) },
    { title: 'Existing', value: (kind: Kind) => String(existing[kind]) },
  ]
  printMessage(`Seeded ${database} from ${from}.`)
  await showTable({ data: report, columns, rows: [...kinds], emptyText: '' }, json)
}

const countsOf = ({ teams, users, projects }: StateCounts) => ({ teams, users, projects })

async function generate({
  database,
  json,
  yes,
  teams = 10,
  users = 5,
  projects = 10,
  seed = 1,
}: Options & Amounts) {
  const [{ seedGenerated }, { progressPrinter }, { confirm }] = await Promise.all([
    import('./seed-generated.js'),
    import('../output/progress-printer.js'),
    import('../output/confirm.js'),
  ])
  const printer = progressPrinter(json)
  const records = pluralize(teams * (1 + users + projects), 'record')
  try {
    const report = await seedGenerated(
      { database, teams, users, projects, seed },
      {
        confirmOther: (other) => confirm(`${other} This adds ${records}.`, yes),
        onProgress: printer.progress,
      },
    )
    printer.stop()
    if (json) printJson({ event: 'done', ...report })
    else printLine(summary(report))
  } catch (error) {
    printer.stop(error)
    throw error
  }
}

function summary({ database, seed, created, existing, seconds }: GeneratedReport): string {
  const counts = [
    pluralize(created.teams, 'team'),
    pluralize(created.users, 'user'),
    pluralize(created.projects, 'project'),
  ].join(', ')
  const known = pluralize(existing.teams + existing.users + existing.projects, 'record')
  return `Seeded ${database} with seed ${seed} in ${seconds} s: created ${counts}; ${known} existed already.`
}

function amountOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser((text) => {
    if (/^\d{1,9}$/.test(text)) return Number(text)
    throw new InvalidArgumentError('Expected a whole number from 0 to 999999999.')
  })
}
