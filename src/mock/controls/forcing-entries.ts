import type { CustomResponse } from '../engine/custom-response.js'
import { outcomeText } from '../engine/forced-text.js'
import { defaultTimes, limitText } from '../state/limit-words.js'
import type { Commands, Descriptions, Endpoints, Input, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'
import type { createForcingControls } from './forcing-controls.js'

export const endpoints = {
  targets: ['GET /__dev/targets', 'targets.list'],
  describeTarget: ['GET /__dev/targets/describe', 'targets.describe', 'target'],
  exportHandlers: ['GET /__dev/targets/handlers', 'targets.export'],
  scenarios: ['GET /__dev/scenarios', 'scenarios.list'],
  possibleScenarios: ['GET /__dev/scenarios/possible', 'scenarios.possible'],
  setScenario: ['PUT /__dev/scenarios', 'scenarios.set', '...'],
  clearScenarios: ['DELETE /__dev/scenarios', 'scenarios.clear', 'target'],
} as const satisfies Endpoints<ReturnType<typeof createForcingControls>>

const customText = ({ response }: Input) => `custom ${(response as CustomResponse).status ?? 'response'}`
const outcomeOf = ({ outcome }: Input) => outcomeText(String(outcome))
/** E.g. `409 PROJECT_NAME_TAKEN`, `a custom 200`. */
const answerText = (input: Input): string => (input.response ? `a ${customText(input)}` : outcomeOf(input))
/** E.g. `forced 409 PROJECT_NAME_TAKEN`, `custom 200`. */
export const usedText = (input: Input): string =>
  input.response ? customText(input) : `forced ${outcomeOf(input)}`
/** Whether a scenario is a named one. */
export const isNamed = ({ outcome, response }: Input) => outcome === undefined && response === undefined

export const words: Words<typeof endpoints> = {
  setScenario: {
    will: (input) =>
      isNamed(input)
        ? `Start ${input.target}`
        : `${answerText(input)} on ${input.target} · ${limitText({ times: defaultTimes, ...input })}`,
    did: (input) =>
      isNamed(input)
        ? `${input.target} was started (${limitText(input)})`
        : `${answerText(input)} was forced on ${input.target} (${limitText(input)})`,
  },
  clearScenarios: {
    will: ({ target }) =>
      target === undefined ? 'End everything that is forced' : `End what is forced on ${target}`,
    did: ({ target }) =>
      target === undefined ? 'all that was forced was cleared' : `what was forced on ${target} was cleared`,
  },
}

export const commands = {
  setScenario: {
    usages: { 'scenario set <target> [outcome]': {} },
    fields: { times: 'number', session: 'text' },
    verbs: ['force'],
    example: 'force 409 create once',
  },
  scenarios: { usages: { 'scenario list': {} } },
  possibleScenarios: { usages: {} },
  clearScenarios: {
    usages: { 'scenario clear [target]': {} },
    verbs: ['clear', 'end'],
    example: 'clear, clear createProject, clear log',
  },
  targets: { usages: { 'handlers list': {} } },
  describeTarget: { usages: { 'handlers describe <target>': {} } },
  exportHandlers: { usages: { 'handlers export [file]': {} } },
} as const satisfies Commands<typeof endpoints>

export const describe = (of: FieldWords) =>
  ({
    targets: {
      about: 'List operations, handlers and unhandled requests, with the number of requests to each.',
      input: of.nothing,
      tool: { name: 'list_targets' },
    },
    describeTarget: {
      about: 'Describe an operation: who may call it, its input with limits, its responses with codes.',
      input: of.strict({
        target: of.text('or a named scenario', { help: 'an operation, a handler or a named scenario' }),
      }),
      tool: { name: 'describe_operation' },
      help: { 'handlers describe <target>': { examples: ['createProject', '"POST /v1/projects"'] } },
    },
    exportHandlers: {
      about: 'Print the forced outcomes as a file of MSW handlers.',
      input: of.nothing,
      tool: { name: 'export_handlers' },
      help: { 'handlers export [file]': { examples: ['', 'handlers.ts'] } },
    },
    scenarios: {
      about: 'List the active scenarios, or all possible ones.',
      input: of.nothing,
      tool: 'overview',
      help: { 'scenario list': { examples: ['', '--possible'] } },
    },
    possibleScenarios: {
      about: 'List the possible outcomes of each operation, and the named scenarios.',
      input: of.nothing,
      tool: 'list_targets, and describe_operation for one target',
    },
    // The control itself checks scenarios, for every interface.
    setScenario: {
      about: 'Force an outcome or a custom response of a target, or start a named scenario.',
      input: of.strict({
        target: of.text(
          'e.g. createProject or "GET /api/invoices/:id"; or a named scenario: empty, duplicate-names',
        ),
        outcome: of.outcome
          .describe(
            'an error code, a status such as 500, drop (closes the connection), or hang (no response)',
          )
          .optional(),
        response: of
          .strict({
            status: of
              .bounded(200, 599)
              .describe("default: that of the operation's success; of a handler, 200")
              .optional(),
            body: of.z.unknown().describe('a JSON value, which the contract has for the status').optional(),
            text: of.z.string().describe('in place of body: not JSON').optional(),
            contentType: of.optional('of text, for a handler'),
            headers: of.z
              .record(of.z.string(), of.z.string())
              .describe('e.g. { "Retry-After": "5" }')
              .optional(),
            unchecked: of.flag('allow what the contract does not have'),
          })
          .describe('in place of outcome: a custom response')
          .optional(),
        times: of.wholeNumber
          .nullable()
          .meta(
            of.meta('how many requests; null for until cleared (default: 1; of a named scenario null)', {
              help: 'end after this many requests (default: 1, the next request)',
            }),
          )
          .optional(),
        session: of.optional('only for this persona', { value: 'persona' }),
      }),
      tool: { name: 'force_outcome' },
      help: {
        'scenario set <target> [outcome]': {
          examples: [
            'createProject PROJECT_NAME_TAKEN --times 1 --session acme-member',
            'listProjects 503',
            'updateProject drop',
            'listProjects --body projects.json --until-cleared',
            'listProjects --body page.html --status 502 --unchecked',
            'duplicate-names',
          ],
        },
      },
    },
    clearScenarios: {
      about: 'End all scenarios or one, and list those that are still active.',
      input: of.strict({
        target: of.optional('or a named scenario', {
          help: 'only this operation, handler or named scenario',
        }),
      }),
      tool: { name: 'clear_forced' },
      help: { 'scenario clear [target]': { examples: ['createProject', ''] } },
    },
  }) satisfies Descriptions<typeof endpoints, typeof commands>
