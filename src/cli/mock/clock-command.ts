import type { Command } from 'commander'
import type { ClockReading } from '../../mock/core/clock.js'
import { examples, mockOptions } from '../options.js'
import { show } from '../output/output.js'
import { controlMock } from './control-mock.js'

export const define = (clock: Command) => {
  clock
    .description('Set the clock of a running mock, so that its responses are repeatable.')
    .addHelpText(
      'after',
      examples('npx dashboard-api clock set 2026-01-01T00:00:00Z', 'npx dashboard-api clock clear'),
    )

  mockOptions(clock.command('set').option('--ticking', 'let the clock run from that time'))
    .description('Stop the clock at a time, or let it run from there.')
    .argument('<time>', 'with its zone, e.g. 2026-01-01T00:00:00Z')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api clock set 2026-01-01T00:00:00Z',
        'npx dashboard-api clock set 2026-01-01T09:00:00+01:00 --ticking',
      ),
    )
    .action(async (time, { ticking, json, ...address }) =>
      showReading(await controlMock(address)('setClock', { at: time, ticking }), json),
    )

  mockOptions(clock.command('show'))
    .description('Show the current time of the mock.')
    .addHelpText('after', examples('npx dashboard-api clock show'))
    .action(async ({ json, ...address }) => showReading(await controlMock(address)('clock'), json))

  mockOptions(clock.command('clear'))
    .description('Return to the real time.')
    .addHelpText('after', examples('npx dashboard-api clock clear'))
    .action(async ({ json, ...address }) => showReading(await controlMock(address)('setClock', {}), json))
}

const showReading = (data: ClockReading, json?: boolean) =>
  show({ data, lines: [`${data.now}\t${data.mode}`] }, json)
