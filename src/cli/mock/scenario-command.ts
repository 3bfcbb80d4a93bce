import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { readFailure } from '../file-failure.js'
import { parseCount } from '../options.js'
import { printMessage } from '../output/output.js'
import { UserError } from '../user-error.js'
import { controlCommand } from './control-command.js'
import { controlMock, urlOf } from './control-mock.js'
import { possible, scenarios } from './mock-tables.js'

type Response = { body?: string; status?: number; unchecked?: boolean }

export const define = (group: Command) => {
  group.description('Force responses of a running mock.')
  controlCommand<'setScenario', Response>(group, 'set <target> [outcome]', 'setScenario', {
    examples: [
      'createProject PROJECT_NAME_TAKEN --times 1 --session acme-member',
      'listProjects 503',
      'updateProject drop',
      'listProjects --body projects.json --times 1',
      'listProjects --body page.html --status 502 --unchecked',
      'duplicate-names',
    ],
    others: [
      new Option(
        '--body <file>',
        'in place of an outcome: respond with this JSON file; - reads standard input',
      ),
      new Option(
        '--status <status>',
        "with --body: the status (default: that of the operation's success)",
      ).argParser(parseCount),
      new Option('--unchecked', 'with --body: send what the contract does not have, or what is not JSON'),
    ],
    input: async ({ target, outcome, times, session, ...given }) => ({
      ...{ target, outcome, times, session },
      response: await readResponse(given),
    }),
    message: (_, { space, ...address }) =>
      `Active from the next request on; end it with "npx dashboard-api scenario clear --url ${urlOf(address)}${space ? ` --space ${space}` : ''}".`,
    print: scenarios,
  })
  controlCommand(group, 'list', 'scenarios', {
    examples: ['', '--possible'],
    others: [
      new Option('--possible', 'list the possible outcomes of each operation, and the named scenarios'),
    ],
  }).action(async ({ possible: all, ...options }) => {
    const call = controlMock(options)
    if (all) return possible(await call('possibleScenarios'), options)
    await scenarios(await call('scenarios'), options)
    const chaos = await call('chaos')
    if (chaos.all || Object.keys(chaos.operations).length > 0) {
      printMessage('Requests fail at random, too: "npx dashboard-api chaos show".')
    }
  })
  controlCommand(group, 'clear [target]', 'clearScenarios', {
    examples: ['createProject', ''],
    print: scenarios,
  })
}

/** @throws UserError for a file that cannot be read, or that is not JSON and not to be sent unchecked */
async function readResponse({ body: file, status, unchecked }: Response) {
  if (file === undefined && (status !== undefined || unchecked)) {
    throw new UserError('--status and --unchecked need --body.')
  }
  if (file === undefined) return undefined
  const name = file === '-' ? 'The standard input' : file
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error) => {
    throw readFailure(name, error, 'Give the path of a JSON file, or - for the standard input.')
  })
  try {
    return { body: JSON.parse(content), status, unchecked }
  } catch (error) {
    if (unchecked) return { text: content, status, unchecked }
    const hint = 'Add --unchecked to send it nevertheless.'
    throw new UserError(`${name} is not JSON: ${(error as Error).message}`, hint)
  }
}
