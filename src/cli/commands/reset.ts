import type { Command } from 'commander'
import { printMessage, show } from '../output/output.js'
import { examples, mockOptions } from './options.js'

export const reset = (program: Command) =>
  mockOptions(
    program
      .command('reset')
      .description('Return a running mock to how it began: fixtures, persona, delay, clock; nothing forced.'),
  )
    .addHelpText('after', examples('npx dashboard-api reset'))
    .action(async ({ json, ...at }) => {
      const { mockAt } = await import('../actions/mock.js')
      const data = await mockAt(at)('reset')
      await show({ data, lines: [] }, json)
      printMessage('The mock is as it began; its log stays.')
    })
