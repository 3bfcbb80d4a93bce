import type { Command } from 'commander'
import { examples, mockOptions } from '../options.js'
import { showForced } from './show-forced.js'

export const clear = (scenario: Command) =>
  mockOptions(
    scenario
      .command('clear')
      .description('End what is forced, and show what is left.')
      .argument('[operation]', 'of this operation or named scenario; all where it is left out'),
  )
    .addHelpText(
      'after',
      examples('npx dashboard-api scenario clear createProject', 'npx dashboard-api scenario clear'),
    )
    .action(async (target, { json, ...at }) => {
      const { mockAt } = await import('../../actions/mock.js')
      await showForced(await mockAt(at)('clearScenarios', { target }), json)
    })
