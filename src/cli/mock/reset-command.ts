import type { Command } from 'commander'
import { examples, mockOptions } from '../options.js'
import { printMessage, show } from '../output/output.js'
import { controlMock } from './control-mock.js'

export const define = (reset: Command) =>
  mockOptions(reset)
    .description(
      'Return a running mock to its initial fixtures, persona, delay, chaos and clock; nothing is forced.',
    )
    .addHelpText('after', examples('npx dashboard-api reset'))
    .action(async ({ json, ...address }) => {
      await show({ data: await controlMock(address)('reset'), lines: [] }, json)
      printMessage('The mock is in its initial state; its log is kept.')
    })
