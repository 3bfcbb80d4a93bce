import { type Command, Option } from 'commander'
import type { ChaosProfiles } from '../../mock/core/chaos.js'
import type { PossibleScenarios } from '../../mock/core/controls.js'
import { forcedText } from '../../mock/core/forced-text.js'
import type { Scenario } from '../../mock/core/scenarios.js'
import { examples, mockOptions, parseCount } from '../options.js'
import { printMessage, showTable } from '../output/output.js'
import { UserError } from '../user-error.js'
import { controlMock, urlOf } from './control-mock.js'
import { readResponse } from './read-response.js'

export const define = (scenario: Command) => {
  scenario
    .description('Force responses of a running mock.')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api scenario set createProject PROJECT_NAME_TAKEN --times 1',
        'npx dashboard-api scenario set listProjects --body projects.json',
        'npx dashboard-api scenario set empty',
        'npx dashboard-api scenario list --possible',
        'npx dashboard-api scenario clear',
      ),
    )
  defineSet(scenario.command('set'))

  mockOptions(
    scenario
      .command('list')
      .option('--possible', 'list the possible outcomes of each operation, and the named scenarios'),
  )
    .description('List the active scenarios, or all possible ones.')
    .addHelpText(
      'after',
      examples('npx dashboard-api scenario list', 'npx dashboard-api scenario list --possible'),
    )
    .action(async ({ possible, json, ...address }) => {
      const call = controlMock(address)
      if (possible) return showPossible(await call('possibleScenarios'), json)
      await showActive(await call('scenarios'), json)
      if (isChaos(await call('chaos')))
        printMessage('Requests fail at random, too: "npx dashboard-api chaos show".')
    })

  mockOptions(scenario.command('clear'))
    .description('End all scenarios or one, and list those that are still active.')
    .argument('[operation]', 'only this operation or named scenario')
    .addHelpText(
      'after',
      examples('npx dashboard-api scenario clear createProject', 'npx dashboard-api scenario clear'),
    )
    .action(async (target, { json, ...address }) =>
      showActive(await controlMock(address)('clearScenarios', { target }), json),
    )
}

const defineSet = (set: Command) =>
  mockOptions(
    set
      .addOption(new Option('--times <number>', 'end after this many requests').argParser(parseCount))
      .option('--session <persona>', 'only for this persona')
      .option('--body <file>', 'in place of an outcome: respond with this JSON file; - reads standard input')
      .addOption(
        new Option(
          '--status <status>',
          "with --body: the status (default: that of the operation's success)",
        ).argParser(parseCount),
      )
      .option('--unchecked', 'with --body: send what the contract does not have, or what is not JSON'),
  )
    .description("Force an outcome of an operation, give a response of one's own, or start a named scenario.")
    .argument('<operation>', 'e.g. createProject; or a named scenario: empty, duplicate-names')
    .argument(
      '[outcome]',
      'an error code, a status such as 500, drop (closes the connection), or hang (no response)',
    )
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api scenario set createProject PROJECT_NAME_TAKEN --times 1 --session acme-member',
        'npx dashboard-api scenario set listProjects 503',
        'npx dashboard-api scenario set updateProject drop',
        'npx dashboard-api scenario set listProjects --body projects.json --times 1',
        'npx dashboard-api scenario set listProjects --body page.html --status 502 --unchecked',
        'npx dashboard-api scenario set duplicate-names',
      ),
    )
    .action(async (target, outcome, { times, session, body, status, unchecked, json, ...address }) => {
      if (body === undefined && (status !== undefined || unchecked)) {
        throw new UserError('--status and --unchecked need --body.')
      }
      const response = body === undefined ? undefined : await readResponse(body, { status, unchecked })
      const active = await controlMock(address)('setScenario', { target, outcome, response, times, session })
      const options = `--url ${urlOf(address)}${address.space ? ` --space ${address.space}` : ''}`
      printMessage(
        `Active from the next request on; end it with "npx dashboard-api scenario clear ${options}".`,
      )
      await showActive(active, json)
    })

const isChaos = ({ all, operations }: ChaosProfiles): boolean =>
  all !== undefined || Object.keys(operations).length > 0

async function showActive(scenarios: Scenario[], json?: boolean): Promise<void> {
  const columns = [
    { title: 'Operation', value: ({ target }: Scenario) => target },
    { title: 'Outcome', value: forcedText },
    { title: 'Times', value: ({ times }: Scenario) => times?.toString() },
    { title: 'Session', value: ({ session }: Scenario) => session },
  ]
  await showTable({ data: scenarios, columns, rows: scenarios, emptyText: 'No scenario is active.' }, json)
}

async function showPossible(data: PossibleScenarios, json?: boolean): Promise<void> {
  const rows = [
    ...Object.entries(data.operations).flatMap(([name, outcomes]) =>
      outcomes.map((outcome) => [name, outcome]),
    ),
    ...Object.entries(data.named).map(([name, description]) => [name, '', description]),
  ]
  const columns = ['Operation', 'Outcome', 'Note'].map((title, i) => ({
    title,
    value: (row: string[]) => row[i],
    shrinks: title === 'Note',
  }))
  await showTable({ data, columns, rows, emptyText: 'No scenario is possible.' }, json)
}
