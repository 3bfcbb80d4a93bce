import type { Command } from 'commander'
import { examples, mockOptions } from '../options.js'
import { controlMock } from './control-mock.js'
import { showStep } from './show-step.js'

export const define = (redo: Command) =>
  mockOptions(redo)
    .description('Make the change again that was undone last.')
    .addHelpText('after', examples('npx dashboard-api redo'))
    .action(async ({ json, ...address }) => showStep('Made again', await controlMock(address)('redo'), json))
