import { type Command, Option } from 'commander'
import { printMessage } from '../../output/output.js'
import { examples, mockOptions, parseCount } from '../options.js'
import { showForced } from './show-forced.js'

export const set = (scenario: Command) =>
  mockOptions(
    scenario
      .command('set')
      .description('Force an outcome on an operation, or begin a scenario of the interface.')
      .argument('<operation>', 'e.g. createProject; or a named scenario: empty, duplicate-names')
      .argument(
        '[outcome]',
        'an error code, a status such as 500, drop (the connection breaks), or hang (no answer)',
      )
      .addOption(new Option('--times <number>', 'how often, until it ends by itself').argParser(parseCount))
      .option('--session <persona>', 'for this persona alone'),
  )
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api scenario set createProject PROJECT_NAME_TAKEN --times 1 --session acme-member',
        'npx dashboard-api scenario set listProjects 503',
        'npx dashboard-api scenario set updateProject drop',
        'npx dashboard-api scenario set duplicate-names',
      ),
    )
    .action(async (target, outcome, { times, session, json, ...at }) => {
      const { mockAt } = await import('../../actions/mock.js')
      const forced = await mockAt(at)('setScenario', { target, outcome, times, session })
      const here = `--url ${at.url}${at.space ? ` --space ${at.space}` : ''}`
      printMessage(`From the next request on; "npx dashboard-api scenario clear ${here}" ends it.`)
      await showForced(forced, json)
    })
