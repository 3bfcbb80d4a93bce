import type { Command } from 'commander'
import { examples, mockOptions } from '../options.js'
import { showDelay } from './show-delay.js'

export const clear = (delay: Command) =>
  mockOptions(
    delay
      .command('clear')
      .description('Answer without delay again.')
      .argument('[operation]', 'take back what was set for this operation alone'),
  )
    .addHelpText(
      'after',
      examples('npx dashboard-api delay clear createProject', 'npx dashboard-api delay clear'),
    )
    .action(async (operation, { json, ...at }) => {
      const { clearDelay } = await import('../../actions/clear-delay.js')
      await showDelay(await clearDelay(at, operation), json)
    })
