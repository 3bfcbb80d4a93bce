import type { Command } from 'commander'
import type { ClockReading } from '../../mock/core/clock.js'
import { show } from '../output/output.js'
import { examples, mockOptions } from './options.js'

export const clock = (program: Command) => {
  const group = program
    .command('clock')
    .description('Fix the time of a running mock, so that what it shows repeats.')
    .addHelpText(
      'after',
      examples('npx dashboard-api clock set 2026-01-01T00:00:00Z', 'npx dashboard-api clock clear'),
    )

  mockOptions(
    group
      .command('set')
      .description('Stop the clock at a time, or let it tick on from there.')
      .argument('<time>', 'with its zone, e.g. 2026-01-01T00:00:00Z')
      .option('--ticking', 'tick on from there'),
  )
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api clock set 2026-01-01T00:00:00Z',
        'npx dashboard-api clock set 2026-01-01T09:00:00+01:00 --ticking',
      ),
    )
    .action(async (time, { ticking, json, ...options }) => {
      const { mockAt } = await import('../actions/mock.js')
      await showReading(await mockAt(options)('setClock', { at: time, ticking }), json)
    })

  mockOptions(group.command('show').description('Show the time that the mock believes it is.'))
    .addHelpText('after', examples('npx dashboard-api clock show'))
    .action(async ({ json, ...at }) => {
      const { mockAt } = await import('../actions/mock.js')
      await showReading(await mockAt(at)('clock'), json)
    })

  mockOptions(group.command('clear').description('Go by the real time again.'))
    .addHelpText('after', examples('npx dashboard-api clock clear'))
    .action(async ({ json, ...at }) => {
      const { mockAt } = await import('../actions/mock.js')
      await showReading(await mockAt(at)('setClock', {}), json)
    })
}

const showReading = (data: ClockReading, json?: boolean) =>
  show({ data, lines: [`${data.now}\t${data.mode}`] }, json)
