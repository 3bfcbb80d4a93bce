import type { Command } from 'commander'
import { examples, mockOptions } from '../options.js'
import { controlMock } from './control-mock.js'
import { showStep } from './show-step.js'

export const define = (undo: Command) =>
  mockOptions(undo)
    .description('Take back the last change of the state of a running mock, by a request or a control.')
    .addHelpText('after', examples('npx dashboard-api undo'))
    .action(async ({ json, ...address }) => showStep('Undone', await controlMock(address)('undo'), json))
