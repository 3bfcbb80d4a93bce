import { type Command, InvalidArgumentError, Option } from 'commander'
import { httpOrigin } from '../server/settings/http-url.js'
import { examples, hostOption, jsonOption, parseCount, parseRate, parseSeed, portOption } from './options.js'
import { demoFixture } from './package.js'
import { shutdownSignal } from './signals.js'
import { UserError } from './user-error.js'

export const define = (dev: Command) =>
  dev
    .description('Serve the mock: the whole interface from a fixture, for front-end work.')
    .addOption(portOption(4010, '; if it is taken, the next free one is used'))
    .addOption(hostOption())
    .option('--strict-port', 'fail if the port is taken')
    .option('--fixtures <file>', 'the state file to start with (default: the demo fixture)')
    .option(
      '--session <persona>',
      'who is signed in at the start, and the persona of the cookie session=active',
    )
    .option('--delay <ms>', 'delay of responses in milliseconds, e.g. 300, or a range, e.g. 200-800')
    .addOption(
      new Option(
        '--chaos <rate>',
        'the part of the requests that fail with 500 or 503 at random, e.g. 0.1; "chaos set" has more',
      ).argParser(parseRate),
    )
    .option('--clock <time>', 'stop the clock at this time, e.g. 2026-01-01T00:00:00Z')
    .option('--ticking', 'with --clock, let the clock run from that time')
    .addOption(
      new Option('--seed <number>', 'make ids, random delays and chaos repeatable').argParser(parseSeed),
    )
    .option('--persist <file>', 'save the state in this file and load it at the next start')
    .option('--handlers <file>', 'a JavaScript or TypeScript file of MSW handlers, which come first')
    .addOption(
      new Option('--log-size <entries>', 'how many requests the log has at most')
        .default(1000)
        .argParser(parseCount),
    )
    .option('--snapshots <folder>', 'the folder for snapshots', '.dashboard-api/snapshots')
    .addOption(
      new Option(
        '--allowed-origin <origin...>',
        'accept changes of pages of these origins only, as production does (default: every page of this machine)',
      ).argParser(parseOrigins),
    )
    .option(
      '--allowed-host <name...>',
      'answer requests to these host names too (default: loopback, and the address of --host)',
    )
    .option('--no-ui', 'print plain lines on a terminal, too')
    .addOption(jsonOption('print JSON lines: "listening" first, then one "request" each'))
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api dev',
        'npx dashboard-api dev --delay 200-800 --clock 2026-01-01T00:00:00Z --seed 1',
        'npx dashboard-api dev --chaos 0.1 --seed 7',
        'npx dashboard-api dev --port 0 --session acme-viewer --json',
        'npx dashboard-api dev --handlers mocks/handlers.ts',
        'npx dashboard-api dev --allowed-origin http://localhost:5173',
      ),
    )
    .action(async ({ json, ui, chaos, clock, ticking, allowedOrigin, allowedHost, ...options }) => {
      if (ticking && clock === undefined) throw new UserError('--ticking needs --clock.')
      const [{ startMock }, { devPrinter }] = await Promise.all([
        import('./start-mock.js'),
        import('./output/dev-printer.js'),
      ])
      const signal = shutdownSignal()
      const printer = devPrinter({ json, ui })
      const mock = await startMock({
        ...options,
        fixtures: options.fixtures ?? demoFixture(),
        allowedOrigins: allowedOrigin,
        allowedHosts: allowedHost,
        chaos: chaos === undefined ? undefined : { errorRate: chaos },
        clock: clock === undefined ? undefined : { at: clock, ticking },
        onRequest: printer.request,
        onFixtures: printer.fixtures,
        onHandlers: printer.handlers,
        onCrossOrigin: printer.crossOrigin,
      })
      try {
        await printer.untilQuit(mock, signal)
      } finally {
        await mock.close()
      }
    })

function parseOrigins(value: string, others: string[] = []): string[] {
  const origin = httpOrigin(value)
  if (origin === undefined) {
    throw new InvalidArgumentError('Expected an origin such as http://localhost:5173.')
  }
  return [...others, origin]
}
