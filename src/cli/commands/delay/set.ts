import type { Command } from 'commander'
import { examples, mockOptions } from '../options.js'
import { showDelay } from './show-delay.js'

export const set = (delay: Command) =>
  mockOptions(
    delay
      .command('set')
      .description('Set how long answers wait.')
      .argument('<ms>', 'milliseconds, 300, or between two bounds, 200-800')
      .argument('[operation]', 'of this operation alone, e.g. createProject'),
  )
    .addHelpText(
      'after',
      examples('npx dashboard-api delay set 300', 'npx dashboard-api delay set 200-800 createProject'),
    )
    .action(async (ms, operation, { json, ...at }) => {
      const { mockAt } = await import('../../actions/mock.js')
      await showDelay(await mockAt(at)('setDelay', { ms, operation }), json)
    })
