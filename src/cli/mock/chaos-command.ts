import { type Command, Option } from 'commander'
import type { ChaosProfile, ChaosProfiles } from '../../mock/core/chaos.js'
import { examples, mockOptions, parseRate, parseSeed } from '../options.js'
import { showTable } from '../output/output.js'
import { controlMock } from './control-mock.js'

export const define = (chaos: Command) => {
  chaos
    .description('Let requests to a running mock fail or wait at random, repeatable by a seed.')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api chaos set --error-rate 0.1 --delay 200-2000 --seed 7',
        'npx dashboard-api chaos set createProject --error-rate 0.5 --outcome 503 drop',
        'npx dashboard-api chaos show',
        'npx dashboard-api chaos clear',
      ),
    )
  defineSet(chaos.command('set'))

  mockOptions(chaos.command('show'))
    .description('Show the failure profiles.')
    .addHelpText('after', examples('npx dashboard-api chaos show'))
    .action(async ({ json, ...address }) => showChaos(await controlMock(address)('chaos'), json))

  mockOptions(chaos.command('clear'))
    .description('End chaos, or that of one operation.')
    .argument('[operation]', 'only this operation')
    .addHelpText(
      'after',
      examples('npx dashboard-api chaos clear createProject', 'npx dashboard-api chaos clear'),
    )
    .action(async (operation, { json, ...address }) =>
      showChaos(await controlMock(address)('clearChaos', { operation }), json),
    )
}

const defineSet = (set: Command) =>
  mockOptions(
    set
      .addOption(
        new Option('--error-rate <rate>', 'the part of the requests that fail, e.g. 0.1').argParser(
          parseRate,
        ),
      )
      .option('--delay <ms>', 'milliseconds, e.g. 300, or a range, e.g. 200-2000')
      .addOption(
        new Option(
          '--seed <number>',
          'repeat what this seed drew (default: the seed of the mock, else any)',
        ).argParser(parseSeed),
      )
      .option(
        '--outcome <outcome...>',
        'how requests fail: error codes, statuses, drop, hang (default: INTERNAL_ERROR and SERVICE_UNAVAILABLE)',
      ),
  )
    .description('Let requests fail or wait at random, in place of an earlier profile.')
    .argument('[operation]', 'only this operation, e.g. createProject')
    .addHelpText(
      'after',
      '\nWith the same seed, the first request of an operation from now on gets the same as before, and so does each that\nfollows.',
    )
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api chaos set --error-rate 0.1 --delay 200-2000 --seed 7',
        'npx dashboard-api chaos set createProject --error-rate 0.5 --outcome 503 drop',
      ),
    )
    .action(async (operation, { errorRate, delay, seed, outcome, json, ...address }) => {
      const setting = { errorRate, delay, seed, outcomes: outcome, operation }
      await showChaos(await controlMock(address)('setChaos', setting), json)
    })

async function showChaos(data: ChaosProfiles, json?: boolean): Promise<void> {
  type Row = [name: string, profile: ChaosProfile]
  const rows: Row[] = [...(data.all ? [['all', data.all] as Row] : []), ...Object.entries(data.operations)]
  const columns = [
    { title: 'Operation', value: ([name]: Row) => name },
    { title: 'Error rate', value: ([, { errorRate }]: Row) => String(errorRate) },
    { title: 'Milliseconds', value: ([, { delay }]: Row) => delay },
    { title: 'Seed', value: ([, { seed }]: Row) => String(seed) },
    { title: 'Outcomes', value: ([, { outcomes }]: Row) => outcomes.join(' '), shrinks: true },
  ]
  await showTable({ data, columns, rows, emptyText: 'There is no chaos.' }, json)
}
