import { type Command, InvalidArgumentError, Option } from 'commander'
import type { State, StateCounts } from '../../store/state-file.js'
import type { Store } from '../../store/store.js'
import { examples, jsonOption, settingOption, yesOption } from '../options.js'
import { printJson, printLine, printMessage, showTable } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { demoFixture } from '../package.js'
import { UserError } from '../user-error.js'
import { withDatabase } from './open-database.js'
import type { GeneratedReport } from './seed-generated.js'

const about = `
Sessions and the waitlist of a state file are not loaded: a persona never becomes a production session.

With --teams, --users, --projects or --seed the data is generated. With one version of this package, the same seed
generates the same records, with the same ids and times (in the year 2025); more teams or projects add to fewer.
Existing records stay, so running an interrupted command again completes it. The organisation codes of the teams
are org_s<seed>_1, org_s<seed>_2 and so on. Before it adds to data that was not generated, it asks. The demo fixture is
loaded into a database with other data only with --demo.`

const generatedOptions = ['teams', 'users', 'projects', 'seed']

export const define = (seed: Command) =>
  seed
    .description('Load teams, users and projects into a database, from a state file or generated.')
    .addOption(settingOption('database', '<file>'))
    .addOption(
      new Option('--from <file>', 'the state file (default: the demo fixture)').conflicts(generatedOptions),
    )
    .addOption(amountOption('--teams <count>', 'generate this many teams (default: 10)'))
    .addOption(amountOption('--users <count>', 'users of each team (default: 5)'))
    .addOption(amountOption('--projects <count>', 'projects of each team (default: 10)'))
    .addOption(amountOption('--seed <number>', 'the seed of the generated data (default: 1)'))
    .addOption(
      new Option('--demo', 'load the demo fixture into a database that has other data').conflicts(
        generatedOptions,
      ),
    )
    .addOption(
      new Option(
        '--remove',
        'remove the teams and users of the state file, with all that belongs to them',
      ).conflicts([...generatedOptions, 'demo']),
    )
    .addOption(yesOption())
    .addOption(jsonOption('print JSON; JSON lines for generated data'))
    .addHelpText('after', about)
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api seed',
        'npx dashboard-api seed --remove --yes',
        'npx dashboard-api seed --database data/trial.db --json',
        'npx dashboard-api seed --database data/large.db --teams 20 --projects 50 --users 5 --seed 42',
      ),
    )
    .action(async ({ from, ...options }) => {
      const { teams, users, projects, seed } = options
      const isGenerated = [teams, users, projects, seed].some((amount) => amount !== undefined)
      await (isGenerated ? generate(options) : seedFromFile(options, from))
    })

type Options = { database?: string; json?: boolean; yes?: boolean; demo?: boolean; remove?: boolean }
type Amounts = { teams?: number; users?: number; projects?: number; seed?: number }

/** The kinds that a seed loads. */
const kinds = ['teams', 'users', 'projects'] as const
type Kind = (typeof kinds)[number]

/** Loads the teams, users and projects of a state file; existing records stay unchanged. */
async function seedFromFile(options: Options, file?: string) {
  const { database: flag, json, demo, remove } = options
  const from = file ?? demoFixture()
  const { readStateFile, stateFailure } = await import('../read-state-file.js')
  const state = { ...(await readStateFile(from)), sessions: [], waitlist: [] }
  if (remove) {
    const { removeSeeded } = await import('./remove-seeded.js')
    return removeSeeded(options, state, from)
  }
  const { database, created, existing } = await withDatabase(
    flag,
    async (store, database) => {
      if (file === undefined && !demo) await refuseOthers(store, database, state)
      return { database, ...(await store.load(state)) }
    },
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

/** @throws UserError for a database with data that are not of the demo: it may be one of production */
async function refuseOthers(store: Store, database: string, { teams, users }: State): Promise<void> {
  // Where the demo is already, it was loaded on purpose.
  const loaded = await Promise.all(teams.map(({ id }) => store.team(id)))
  if (!loaded.includes(undefined)) return
  const { otherData } = await import('./other-data.js')
  const ids = new Set([...teams, ...users].map(({ id }) => id))
  const isOwn = ({ id }: { id: string }) => ids.has(id)
  const other = await otherData(store, { isOwnTeam: isOwn, isOwnUser: isOwn })
  if (!other) return
  throw new UserError(
    `${database} has ${other} not of the demo. Nothing was loaded.`,
    'Choose another --database, or add --demo to load the demo nevertheless; "seed --remove" takes it back.',
  )
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
