import { type Command, Option, type OptionValues } from 'commander'
import type { Persona } from '../../mock/core/controls.js'
import type { ControlName } from '../../mock/http/control-endpoints.js'
import { parseCount, splitList } from '../options.js'
import { describeStep } from '../output/detail-lines.js'
import { printMessage } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { defineFromDatabase } from '../production/state-from-database-command.js'
import { UserError } from '../user-error.js'
import { controlCommand } from './control-command.js'
import { controlMock, urlOf } from './control-mock.js'
import { possibleScenarios, scenarios } from './mock-tables.js'
import { printOrWrite } from './print-or-write.js'
import { readResponse } from './read-response.js'

/** Defines the commands of a group of controls. */
export function define(group: Command): void {
  const { about, notes = '', commands } = groups[group.name()] as Group
  if (about) group.description(about)
  group.addHelpText('after', notes)
  for (const add of commands) add(group)
}

type Group = { about?: string; notes?: string; commands: ((group: Command) => unknown)[] }

/** A command of a group, as `controlCommand` takes it. */
const of =
  <Name extends ControlName>(
    usage: string,
    control: Name,
    details?: Parameters<typeof controlCommand<Name>>[3],
  ) =>
  (group: Command) =>
    controlCommand(group, usage, control, details)

const hiddenOutput = new Option('--output <file>').hideHelp()
const named = (verb: string) => (_: unknown, input: { name: string }) => `${verb} ${input.name}.`
const undoes = '"npx dashboard-api undo" takes it back.'

const groups: Record<string, Group> = {
  persona: {
    about: 'Add and remove personas of a running mock. "session list" shows them, "session use" chooses one.',
    commands: [
      of('add <id>', 'addSession', {
        examples: ['initech-boss --organization org_initech --team Initech --role owner'],
        input: ({ id, email, givenName, familyName, orgCode, teamName, permissions, role, note }) => ({
          ...{ id, email, givenName, familyName, orgCode, teamName, role, note },
          permissions: permissions === undefined ? undefined : splitList(String(permissions)),
        }),
        message: (_, { id }) =>
          `Added the persona ${id}. Send the cookie session=${id}, or choose it with "session use".`,
        print: ({ sessions }, { id }) => ({
          data: sessions.find((each: Persona) => each.id === id),
          lines: [id],
        }),
      }),
      of('remove <id>', 'removeSession', {
        examples: ['initech-boss'],
        message: (_, { id }) => `Removed the persona ${id}. ${undoes}`,
        print: (data, { id }) => ({ data, lines: [id] }),
      }),
    ],
  },
  data: {
    about: 'The records of a running mock, of any kind: list, add, change, remove.',
    commands: [
      of('add <kind> <record...>', 'addRecord', {
        examples: ['users email=kim@acme.example givenName=Kim'],
        input: ({ kind, record }) => ({ kind, record: parseFields(record) }),
        message: () => 'Added the record.',
      }),
      of('set <kind> <key> <fields...>', 'setRecord', {
        examples: [
          'users user-kim familyName=Sato',
          'sessions acme-viewer permissions:=\'["create:projects"]\' note:=null',
        ],
        input: ({ kind, key, fields }) => ({ kind, key, fields: parseFields(fields) }),
        message: () => 'Changed the record.',
      }),
      of('list <kind>', 'data', { examples: ['projects --search app --sort=-createdAt --limit 10'] }),
      of('remove <kind> <key>', 'removeRecord', {
        examples: ['users user-kim', 'teams team-globex --dependants'],
        message({ removed }) {
          const count = Object.values(removed).reduce((sum, each) => sum + each, 0)
          return `Removed ${pluralize(count, 'record')}. ${undoes}`
        },
        print: ({ removed }, { key }) => ({ data: { removed }, lines: [key] }),
      }),
    ],
  },
  scenario: {
    about: 'Force responses of a running mock.',
    commands: [
      of('set <target> [outcome]', 'setScenario', {
        examples: [
          'createProject PROJECT_NAME_TAKEN --times 1 --session acme-member',
          'listProjects 503',
          'updateProject drop',
          'listProjects --body projects.json --times 1',
          'listProjects --body page.html --status 502 --unchecked',
          'duplicate-names',
        ],
        options: [
          ['--body <file>', 'in place of an outcome: respond with this JSON file; - reads standard input'],
          [
            '--status <status>',
            "with --body: the status (default: that of the operation's success)",
            parseCount,
          ],
          ['--unchecked', 'with --body: send what the contract does not have, or what is not JSON'],
        ],
        input: async ({ target, outcome, times, session, ...given }) => ({
          ...{ target, outcome, times, session },
          response: await readResponse(given as OptionValues),
        }),
        message: (_, { space, ...address }) =>
          `Active from the next request on; end it with "npx dashboard-api scenario clear --url ${urlOf(address as OptionValues)}${space ? ` --space ${space}` : ''}".`,
      }),
      of('list', 'scenarios', {
        examples: ['', '--possible'],
        options: [['--possible', 'list the possible outcomes of each operation, and the named scenarios']],
        async print(data, { possible, ...given }) {
          const call = controlMock(given)
          if (possible) return possibleScenarios(await call('possibleScenarios'))
          const { all, operations } = await call('chaos')
          if (all || Object.keys(operations).length > 0) {
            printMessage('Requests fail at random, too: "npx dashboard-api chaos show".')
          }
          return scenarios(data)
        },
      }),
      of('clear [target]', 'clearScenarios', { examples: ['createProject', ''] }),
    ],
  },
  delay: {
    about: 'Delay the responses of a running mock.',
    notes: '\nFor no response at all, or a dropped connection: "scenario set OPERATION hang", or "drop".',
    commands: [
      of('set <ms> [operation]', 'setDelay', { examples: ['300', '200-800 createProject'] }),
      of('show', 'delay'),
      of('clear [operation]', 'setDelay', {
        about: 'Remove every delay, or that of one operation.',
        isBare: true,
        examples: ['createProject', ''],
        async call(call, { operation }) {
          const others = operation === undefined ? Object.keys((await call('delay')).operations) : []
          for (const name of others) await call('setDelay', { ms: null, operation: name })
          return call('setDelay', { ms: null, operation })
        },
      }),
    ],
  },
  chaos: {
    about: 'Let requests to a running mock fail or wait at random, repeatable by a seed.',
    notes:
      '\nWith the same seed, the requests of an operation from now on get the same as before, in their order.',
    commands: [
      of('set [operation]', 'setChaos', {
        examples: [
          '--error-rate 0.1 --delay 200-2000 --seed 7',
          'createProject --error-rate 0.5 --outcome 503 drop',
        ],
      }),
      of('show', 'chaos'),
      of('clear [operation]', 'clearChaos', { examples: ['createProject', ''] }),
    ],
  },
  clock: {
    about: 'Set the clock of a running mock, so that its responses are repeatable.',
    commands: [
      of('set <at>', 'setClock', {
        examples: ['2026-01-01T00:00:00Z', '2026-01-01T09:00:00+01:00 --ticking'],
      }),
      of('show', 'clock'),
      of('clear', 'setClock', { about: 'Return to the real time.', isBare: true }),
    ],
  },
  handlers: {
    about: 'What requests to a running mock reach, and what is forced there as a file of MSW handlers.',
    commands: [
      of('list', 'targets'),
      of('export [file]', 'exportHandlers', {
        examples: ['', 'handlers.ts'],
        args: { file: 'the file; one that exists is replaced, atomically' },
        print: (data, { file, json }) => (json ? printOrWrite(data) : printOrWrite(data.text, file)),
      }),
    ],
  },
  reset: {
    commands: [of('', 'reset', { message: () => 'The mock is in its initial state, with an empty log.' })],
  },
  undo: { commands: [of('', 'undo', { message: (step) => describeStep('Undone', step) })] },
  redo: { commands: [of('', 'redo', { message: (step) => describeStep('Made again', step) })] },
  snapshot: {
    about: 'Save and load the state of a running mock; list and delete what was saved.',
    commands: [
      of('save <name>', 'saveSnapshot', { examples: ['before'], message: named('Saved') }),
      of('load <name>', 'loadSnapshot', { examples: ['before'], message: named('Loaded') }),
      of('delete <name>', 'deleteSnapshot', { examples: ['before'], message: named('Deleted') }),
      of('list', 'snapshots'),
    ],
  },
  space: {
    about: 'Show, create and remove the spaces of a running mock: copies of its state for parallel tests.',
    commands: [
      of('create <name>', 'createSpace', { examples: ['checkout-test'], message: named('Created') }),
      of('list', 'spaces'),
      of('remove <name>', 'removeSpace', { examples: ['checkout-test'], message: named('Removed') }),
    ],
  },
  state: {
    about: 'Save the data of a running mock as a fixture, or replace it with one; make one from production.',
    commands: [
      of('save <file>', 'exportState', {
        about: 'Save the data as a state file: a fixture for "dev --fixtures", "state load" and "seed".',
        examples: ['state.json'],
        args: { file: 'the file; one that exists is replaced, atomically' },
        print: (state, { file }) => printOrWrite(state, file),
      }),
      of('export', 'exportState', {
        // The way before "state save".
        options: [hiddenOutput],
        print: (state, { output }) => printOrWrite(state, output),
      }),
      of('load <file>', 'loadState', {
        examples: ['state.json'],
        args: { file: 'the state file' },
        input: async ({ file }) => (await import('../read-state-file.js')).readStateFile(file),
        message: (_, { file }) => `Loaded ${file}.`,
      }),
      defineFromDatabase,
    ],
  },
}

/** `name=text` and `name:=json`. @throws UserError */
function parseFields(fields: unknown): Record<string, unknown> {
  return Object.fromEntries(
    (fields as string[]).map((field) => {
      const [, name, colon, text = ''] = /^([^:=]+)(:?)=(.*)$/s.exec(field) ?? []
      if (name === undefined) {
        throw new UserError(`"${field}" is not a field.`, 'Write name=text, or name:=json.')
      }
      try {
        return [name, colon ? JSON.parse(text) : text]
      } catch {
        throw new UserError(`The value of ${name} is not JSON: ${text}.`, 'Write name=text for a text.')
      }
    }),
  )
}
