import type { Command } from 'commander'
import { demoFixture } from '../package.js'
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
    .addOption(jsonOption('print JSON lines: "listening" first, then one "request" each'))
    .addHelpText(
      'after',
      examples('npx dashboard-api dev', 'npx dashboard-api dev --port 0 --session acme-viewer --json'),
    )
    .action(async ({ json, fixtures = demoFixture(), ...options }) => {
      const [{ startMock }, { devPrinter }, { shutdownSignal }] = await Promise.all([
        import('../actions/dev.js'),
        import('../dev-printer.js'),
        import('../actions/shutdown.js'),
      ])
      const signal = shutdownSignal()
      const printer = devPrinter(json)
      const mock = await startMock({ ...options, fixtures, onRequest: printer.request })
      await printer.untilQuit(mock, signal)
      await mock.close()
    })
