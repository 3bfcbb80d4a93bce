import { type Command, InvalidArgumentError, Option } from 'commander'
import { demoFixture } from '../package.js'
import { UserError } from '../user-error.js'
import { examples, hostOption, jsonOption, portOption } from './options.js'

export const dev = (program: Command) =>
  program
    .command('dev')
    .description('Serve the mock: the whole interface from a fixture, for work on a front end.')
    .addOption(portOption(4010, '; where it is taken, the next free one is used'))
    .addOption(hostOption())
    .option('--strict-port', 'fail where the port is taken')
    .option('--fixtures <file>', 'the state file to begin with (default: the demo fixture)')
    .option('--session <persona>', 'what the cookie session=active stands for (default: the first persona)')
    .option('--delay <ms>', 'how long answers wait: milliseconds, 300, or between two bounds, 200-800')
    .option('--clock <time>', 'the time to stand still at, with its zone, e.g. 2026-01-01T00:00:00Z')
    .option('--ticking', 'with --clock, tick on from there')
    .addOption(new Option('--seed <number>', 'make ids and the spread of delays repeat').argParser(parseSeed))
    .option('--persist <file>', 'keep the state in this file over restarts')
    .option('--snapshots <folder>', 'where snapshots are kept', '.dashboard-api/snapshots')
    .option('--no-ui', 'plain lines on a terminal too')
    .addOption(jsonOption('print JSON lines: "listening" first, then one "request" each'))
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api dev',
        'npx dashboard-api dev --delay 200-800 --clock 2026-01-01T00:00:00Z --seed 1',
        'npx dashboard-api dev --port 0 --session acme-viewer --json',
      ),
    )
    .action(async ({ json, ui, clock, ticking, fixtures = demoFixture(), ...options }) => {
      if (ticking && clock === undefined) throw new UserError('--ticking needs a --clock to tick on from.')
      const [{ startMock }, { devPrinter }, { shutdownSignal }] = await Promise.all([
        import('../actions/dev.js'),
        import('../output/dev-printer.js'),
        import('../actions/shutdown.js'),
      ])
      const signal = shutdownSignal()
      const printer = devPrinter({ json, ui })
      const mock = await startMock({
        ...options,
        fixtures,
        clock: clock === undefined ? undefined : { at: clock, ticking },
        onRequest: printer.request,
        onFixtures: printer.fixtures,
      })
      try {
        await printer.untilQuit(mock, signal)
      } finally {
        await mock.close()
      }
    })

function parseSeed(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('Expected a whole number, e.g. 1.')
  return Number(value)
}
