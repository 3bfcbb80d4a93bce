import type { Command } from 'commander'
import { examples, mockOptions } from '../options.js'
import { showDelay } from './show-delay.js'

export const show = (delay: Command) =>
  mockOptions(delay.command('show').description('Show how long answers wait.'))
    .addHelpText('after', examples('npx dashboard-api delay show'))
    .action(async ({ json, ...at }) => {
      const { mockAt } = await import('../../actions/mock.js')
      await showDelay(await mockAt(at)('delay'), json)
    })
