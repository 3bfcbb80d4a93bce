import type { Command } from 'commander'
import type { Project } from '../../contract/schemas.js'
import type { ControlName } from '../../mock/controls/control-endpoints.js'
import type { SessionList } from '../../mock/controls/controls.js'
import type { Persona } from '../../mock/state/listed-personas.js'
import { shellQuote } from '../../pages/shell-quote.js'
import type { OptionData } from '../define-command.js'
import { defineStateImport } from '../json-server/state-import-command.js'
import { parseCount, urlOf } from '../options.js'
import { changeLines, detailLines } from '../output/detail-lines.js'
import { printableLines } from '../output/printable.js'
import { listProjects } from '../production/project-command.js'
import { defineFromDatabase } from '../production/state-from-database-command.js'
import { Failure, UserError } from '../user-error.js'
import { type ControlDetails, controlCommand } from './control-command.js'
import { logDetails } from './log-command.js'
import { possibleScenarios, scenarios } from './mock-tables.js'
import { pickPersona } from './pick-persona.js'
import { readResponse } from './read-response.js'
import { teamOf } from './team-of.js'

/** Defines the commands of a group of controls. */
export function define(group: Command): void {
  for (const [path, add] of Object.entries(commands)) {
    const [name, ...usage] = path.split(' ')
    if (name === group.name()) add(group, usage.join(' '))
  }
}

/** The command of a control, which adds itself to a group. */
const commandOf =
  <Name extends ControlName>(control: Name, details?: ControlDetails<Name>) =>
  (group: Command, usage: string) =>
    controlCommand(group, usage, control, details)

const named = (verb: string, ...examples: string[]) => ({
  examples,
  message: (_: unknown, { name }: { name: string }) => `${verb} ${name}.`,
})
const stepId = { id: 'the number of a change, as "mock changes" shows it (default: the last one)' }
const newFile = { file: 'the file; one that exists is replaced, atomically' }

const projectId = 'its id, as "mock project list" shows it'
const teamOption: OptionData = [
  '--team <team>',
  'its organisation code or its id (default: the team of the active persona)',
]

/** The part that both commands of a project share. */
const ofProject = (...options: OptionData[]): ControlDetails<'addRecord'> => ({
  isBare: true,
  options: [
    ['--description <text>', 'its description'],
    ['--status <text>', 'its status'],
    ['--team <team>', 'the team: its organisation code or its id'],
    ...options,
  ],
  print: ({ record: project }) => ({ data: { project }, lines: [(project as Project).id] }),
})

/** The active persona; nothing without one. */
function printActive({ active, sessions }: SessionList) {
  const persona = sessions.find(({ id }) => id === active)
  return persona && { data: persona, lines: [persona.id] }
}

/** Each command by its path and its arguments. */
const commands: { [path: string]: (group: Command, usage: string) => unknown } = {
  'session use [id]': commandOf('useSession', {
    examples: ['acme-viewer'],
    async input({ id: given }, call) {
      const id = given ?? (await pickPersona(await call('sessions')))
      return id && { id }
    },
    print: printActive,
  }),
  'session sign-out': commandOf('useSession', {
    about: 'Sign out the cookie session=active of a running mock, from the next request on.',
    isBare: true,
    input: () => ({ id: null }),
  }),
  'session current': commandOf('sessions', {
    about: 'Print the persona of the cookie session=active of a running mock.',
    print(list, given) {
      const persona = printActive(list)
      if (persona) return persona
      throw new Failure(
        `The mock at ${urlOf(given)} has no active persona.`,
        'Choose one with "npx dashboard-api session use".',
      )
    },
  }),
  'persona list': commandOf('sessions', { about: 'List the personas.', examples: ['', '--json'] }),
  'persona add <id>': commandOf('addSession', {
    examples: ['initech-boss --organization org_initech --team Initech --role owner'],
    message: (_, { id }) => `Send the cookie session=${id}, or choose it with "session use".`,
    print: ({ sessions }, { id }) => ({
      data: sessions.find((each: Persona) => each.id === id),
      lines: [id],
    }),
  }),
  'persona remove <id>': commandOf('removeSession', {
    examples: ['initech-boss'],
    print: (data, { id }) => ({ data, lines: [id] }),
  }),
  'project list': commandOf('data', {
    about: 'List the projects of a team, newest first.',
    isBare: true,
    options: [teamOption],
    examples: ['', '--team org_globex'],
    input: () => ({ kind: 'projects', sort: '-createdAt' }),
    async print({ records }, given, call) {
      const team = await teamOf(call, given.team)
      return listProjects(
        team,
        (records as Project[]).filter(({ teamId }) => teamId === team.id),
      )
    },
  }),
  'project add <name>': commandOf('addRecord', {
    ...ofProject(
      ['--id <id>', 'its id (default: a new one)'],
      ['--created-at <time>', "when it was created (default: by the mock's clock)"],
    ),
    about: 'Add a project to a team of a running mock.',
    args: { name: 'its name' },
    examples: ['Roadmap --id roadmap'],
    async input({ id, name, description, status, createdAt, team }, call) {
      const { id: teamId } = await teamOf(call, team)
      return { kind: 'projects', record: { id, name, description, status, createdAt, teamId } }
    },
  }),
  'project set <id>': commandOf('setRecord', {
    ...ofProject(['--name <text>', 'its name'], ['--no-description', 'without a description']),
    about: 'Change fields of a project of a running mock.',
    args: { id: projectId },
    examples: ['roadmap --status paused --no-description'],
    async input({ id, name, description: text, status, team }, call) {
      // `--no-description` makes it false.
      const description = text === false ? null : text
      const teamId = team === undefined ? undefined : (await teamOf(call, team)).id
      const fields = { name, description, status, teamId }
      if (Object.values(fields).some((value) => value !== undefined))
        return { kind: 'projects', key: id, fields }
      throw new UserError('Name a field to change.', 'For example --status paused.')
    },
  }),
  'project remove <id>': commandOf('removeRecord', {
    about: 'Remove a project of a running mock.',
    isBare: true,
    args: { id: projectId },
    examples: ['roadmap'],
    input: ({ id }) => ({ kind: 'projects', key: id }),
    print: ({ removed }, { id }) => ({ data: { removed }, lines: [id] }),
  }),
  'data add <kind> <record...>': commandOf('addRecord', {
    examples: ['users email=kim@acme.example givenName=Kim'],
  }),
  'data set <kind> <key> <fields...>': commandOf('setRecord', {
    examples: [
      'users user-kim familyName=Sato',
      'sessions acme-viewer permissions:=\'["create:projects"]\' note:=null',
    ],
  }),
  'data list <kind>': commandOf('data', { examples: ['projects --search app --sort=-createdAt --limit 10'] }),
  'data remove <kind> <key>': commandOf('removeRecord', {
    examples: ['users user-kim', 'teams team-globex --dependants'],
    print: ({ removed }, { key }) => ({ data: { removed }, lines: [key] }),
  }),
  'scenario set <target> [outcome]': commandOf('setScenario', {
    examples: [
      'createProject PROJECT_NAME_TAKEN --times 1 --session acme-member',
      'listProjects 503',
      'updateProject drop',
      'listProjects --body projects.json --until-cleared',
      'listProjects --body page.html --status 502 --unchecked',
      'duplicate-names',
    ],
    options: [
      ['--until-cleared', 'until "mock scenario clear" or a reset, as named scenarios do'],
      ['--body <file>', 'in place of an outcome: respond with this JSON file; - reads standard input'],
      ['--status <status>', "with --body: the status (default: that of the operation's success)", parseCount],
      ['--unchecked', 'with --body: allow a body that is not JSON or violates the contract'],
    ],
    input: async ({ target, outcome, times, session, untilCleared, ...given }) => ({
      ...{ target, outcome, session, response: await readResponse(given) },
      times: untilCleared ? null : times,
    }),
    message: (_, { space, url }) =>
      `End it with "npx dashboard-api mock scenario clear --url ${shellQuote(urlOf({ url }))}${space ? ` --space ${shellQuote(space)}` : ''}".`,
  }),
  'scenario list': commandOf('scenarios', {
    examples: ['', '--possible'],
    options: [['--possible', 'list the possible outcomes of each operation, and the named scenarios']],
    async print(data, { possible }, call) {
      if (possible) return possibleScenarios(await call('possibleScenarios'))
      const { all, operations } = await call('chaos')
      const hint = 'Requests fail at random, too: "npx dashboard-api mock chaos show".'
      return { ...scenarios(data), hints: all || Object.keys(operations).length > 0 ? [hint] : [] }
    },
  }),
  'scenario clear [target]': commandOf('clearScenarios', { examples: ['createProject', ''] }),
  'delay set <ms> [operation]': commandOf('setDelay', { examples: ['300', '200-800 createProject'] }),
  'delay show': commandOf('delay'),
  'delay clear [operation]': commandOf('setDelay', {
    about: 'Remove every delay, or that of one operation.',
    isBare: true,
    examples: ['createProject', ''],
    input: ({ operation }) => ({ ms: null, operation }),
  }),
  'chaos set [operation]': commandOf('setChaos', {
    examples: [
      '--error-rate 0.1 --delay 200-2000 --seed 7',
      'createProject --error-rate 0.5 --outcome 503 drop',
    ],
  }),
  'chaos show': commandOf('chaos'),
  'chaos clear [operation]': commandOf('clearChaos', { examples: ['createProject', ''] }),
  'clock set <at>': commandOf('setClock', {
    examples: ['2026-01-01T00:00:00Z', '2026-01-01T09:00:00+01:00 --ticking'],
  }),
  'clock show': commandOf('clock'),
  'clock clear': commandOf('setClock', { about: 'Return to the real time.', isBare: true }),
  'handlers list': commandOf('targets'),
  'handlers export [file]': commandOf('exportHandlers', {
    examples: ['', 'handlers.ts'],
    args: newFile,
    print: (data, { file }) => ({ data, document: data.text, file }),
  }),
  reset: commandOf('reset'),
  'undo [id]': commandOf('undo', { args: stepId }),
  'redo [id]': commandOf('redo', { args: stepId }),
  'snapshot save <name>': commandOf('saveSnapshot', { examples: ['before'] }),
  'snapshot load <name>': commandOf('loadSnapshot', { examples: ['before'] }),
  'snapshot delete <name>': commandOf('deleteSnapshot', { examples: ['before'] }),
  'snapshot list': commandOf('snapshots'),
  'space create <name>': commandOf('createSpace', named('Created', 'checkout-test')),
  'space list': commandOf('spaces'),
  'space remove <name>': commandOf('removeSpace', named('Removed', 'checkout-test')),
  'state save <file>': commandOf('exportState', {
    about: 'Save the data as a state file: a fixture for "dev --fixtures", "state load" and "seed".',
    examples: ['state.json'],
    args: newFile,
    print: (document, { file }) => ({ document, file }),
  }),
  'state export': commandOf('exportState', { print: (document) => ({ document }) }),
  'state load <file>': commandOf('loadState', {
    examples: ['state.json'],
    args: { file: 'the state file' },
    input: async ({ file }) => (await import('../read-state-file.js')).readStateFile(file),
  }),
  'state from-database': defineFromDatabase,
  'state import <file>': defineStateImport,
  changes: commandOf('steps'),
  log: commandOf('log', logDetails),
  'log show <id>': commandOf('logEntry', {
    examples: ['1', '1 --json'],
    // For people, in a pipe too: bodies may have any character.
    print: (data) => ({ data, lines: detailLines(data).map(printableLines) }),
  }),
  'log send <id>': commandOf('sendAgain', {
    examples: ['1', '1 --session acme-viewer', `1 --method POST --body '{"name":"Another"}'`],
    options: [['--no-session', 'send it without a session']],
    // `--no-session` makes it false.
    input: ({ id, method, path, body, session }) => ({
      ...{ id, method, path, body, session: session === undefined ? undefined : session || null },
    }),
    message: ({ id, status, why }) => `Request ${id}: ${status || 'no response'} (${why}).`,
    print: (data) => ({ data, lines: [data.response?.body?.text ?? ''].filter(Boolean) }),
  }),
  'log rewind <id>': commandOf('rewind', {
    examples: ['1', '1 --after'],
  }),
  'log diff <id>': commandOf('diff', {
    examples: ['1', '1 --after'],
    print: (data) => ({ data, lines: changeLines(data) }),
  }),
  'log export': commandOf('har', {
    examples: ['--har --output log.har'],
    options: [
      ['--har', 'as HAR 1.2, the only format'],
      ['--output <file>', 'write to this file, atomically'],
    ],
    print: (document, { output }) => ({ document, file: output }),
  }),
}
