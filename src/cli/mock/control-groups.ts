import type { Command } from 'commander'
import type { Project } from '../../contract/schemas.js'
import {
  type CommandUsage,
  type ControlOf,
  commandOf,
  controlCommands,
} from '../../mock/controls/control-commands.js'
import type { SessionList } from '../../mock/controls/controls.js'
import type { EditedRecord } from '../../mock/controls/data.js'
import type { Persona } from '../../mock/state/listed-personas.js'
import { shellQuote } from '../../pages/shell-quote.js'
import type { OptionData } from '../define-command.js'
import { parseCount, urlOf } from '../options.js'
import { changeLines, detailLines } from '../output/detail-lines.js'
import { printableLines } from '../output/printable.js'
import { projectTable } from '../output/project-table.js'
import { Failure, UserError } from '../user-error.js'
import { type ControlDetails, controlCommand } from './control-command.js'
import { logDetails } from './log-command.js'
import { possibleScenarios, scenarios } from './mock-tables.js'
import { pickPersona } from './pick-persona.js'
import { readResponse } from './read-response.js'
import { teamOf } from './team-of.js'

/** Defines the commands of a group of controls. */
export function define(group: Command): void {
  for (const usage of Object.keys(controlCommands) as CommandUsage[]) {
    const [name, ...rest] = usage.split(' ')
    if (name === group.name()) controlCommand(group, rest.join(' '), commandOf(usage), details[usage] ?? {})
  }
}

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
const ofProject = <Name extends 'addRecord' | 'setRecord'>(
  ...options: OptionData[]
): ControlDetails<Name> => ({
  isBare: true,
  options: [
    ['--description <text>', 'its description'],
    ['--status <text>', 'its status'],
    ['--team <team>', 'the team: its organisation code or its id'],
    ...options,
  ],
  print(result) {
    const project = (result as EditedRecord<'projects'>).record
    return { data: { project }, lines: [project.id] }
  },
})

/** The active persona; nothing without one. */
function printActive({ active, sessions }: SessionList) {
  const persona = sessions.find(({ id }) => id === active)
  return persona && { data: persona, lines: [persona.id] }
}

/** What each command has beside its control, by its path and its arguments. */
const details: { [Usage in CommandUsage]?: ControlDetails<ControlOf<Usage>> } = {
  'session use [id]': {
    examples: ['acme-viewer'],
    async input({ id: given }, call) {
      const id = given ?? (await pickPersona(await call('sessions')))
      return id && { id }
    },
    print: printActive,
  },
  'session sign-out': {
    about: 'Sign out the cookie session=active of a running mock, from the next request on.',
  },
  'session current': {
    about: 'Print the persona of the cookie session=active of a running mock.',
    print(list, given) {
      const persona = printActive(list)
      if (persona) return persona
      throw new Failure(
        `The mock at ${urlOf(given)} has no active persona.`,
        'Choose one with "npx dashboard-api session use".',
      )
    },
  },
  'persona list': { about: 'List the personas.', examples: ['', '--json'] },
  'persona add <id>': {
    examples: ['initech-boss --organization org_initech --team Initech --role owner'],
    message: (_, { id }) => `Send the cookie session=${id}, or choose it with "session use".`,
    print: ({ sessions }, { id }) => ({
      data: sessions.find((each: Persona) => each.id === id),
      lines: [id],
    }),
  },
  'persona expire <id>': { examples: ['acme-member'] },
  'persona remove <id>': {
    examples: ['initech-boss'],
    print: (data, { id }) => ({ data, lines: [id] }),
  },
  'project list': {
    about: 'List the projects of a team, newest first.',
    isBare: true,
    options: [teamOption],
    examples: ['', '--team org_globex'],
    input: () => ({ kind: 'projects', sort: '-createdAt' }),
    async print({ records }, given, call) {
      const team = await teamOf(call, given.team)
      const projects = (records as Project[]).filter(({ teamId }) => teamId === team.id)
      return { data: { team, projects }, table: { ...projectTable, rows: projects } }
    },
  },
  'project add <name>': {
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
  },
  'project set <id>': {
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
  },
  'project remove <id>': {
    about: 'Remove a project of a running mock.',
    isBare: true,
    args: { id: projectId },
    examples: ['roadmap'],
    input: ({ id }) => ({ kind: 'projects', key: id }),
    print: ({ removed }, { id }) => ({ data: { removed }, lines: [id] }),
  },
  'data add <kind> <record...>': {
    examples: ['users email=kim@acme.example givenName=Kim'],
  },
  'data set <kind> <key> <fields...>': {
    examples: [
      'users user-kim familyName=Sato',
      'sessions acme-viewer permissions:=\'["create:projects"]\' note:=null',
    ],
  },
  'data list <kind>': { examples: ['projects --search app --sort=-createdAt --limit 10'] },
  'data remove <kind> <key>': {
    examples: ['users user-kim', 'teams team-globex --dependants'],
    print: ({ removed }, { key }) => ({ data: { removed }, lines: [key] }),
  },
  'scenario set <target> [outcome]': {
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
      ['--header <header...>', 'with --body: a header of the response, e.g. "Retry-After: 5"'],
      ['--unchecked', 'with --body: allow a body that is not JSON or violates the contract'],
    ],
    input: async ({ target, outcome, times, session, untilCleared, ...given }) => ({
      ...{ target, outcome, session, response: await readResponse(given) },
      times: untilCleared ? null : times,
    }),
    message: (_, { space, url }) =>
      `End it with "npx dashboard-api mock scenario clear --url ${shellQuote(urlOf({ url }))}${space ? ` --space ${shellQuote(space)}` : ''}".`,
  },
  'scenario list': {
    examples: ['', '--possible'],
    options: [['--possible', 'list the possible outcomes of each operation, and the named scenarios']],
    async print(data, { possible }, call) {
      if (possible) return possibleScenarios(await call('possibleScenarios'))
      const { all, operations } = await call('chaos')
      const hint = 'Requests fail at random, too: "npx dashboard-api mock chaos show".'
      return { ...scenarios(data), hints: all || Object.keys(operations).length > 0 ? [hint] : [] }
    },
  },
  'scenario clear [target]': { examples: ['createProject', ''] },
  'delay set <ms> [target]': { examples: ['300', '200-800 createProject'] },
  'delay clear [target]': {
    about: 'Remove every delay, or that of one operation.',
    examples: ['createProject', ''],
  },
  'chaos set [target]': {
    examples: [
      '--error-rate 0.1 --delay 200-2000 --seed 7',
      'createProject --error-rate 0.5 --outcome 503 drop',
    ],
  },
  'chaos clear [target]': { examples: ['createProject', ''] },
  'clock set <at>': {
    examples: ['2026-01-01T00:00:00Z', '2026-01-01T09:00:00+01:00 --ticking'],
  },
  'clock clear': { about: 'Return to the real time.', isBare: true },
  'handlers export [file]': {
    examples: ['', 'handlers.ts'],
    args: newFile,
    print: (data, { file }) => ({ data, document: data.text, file }),
  },
  'undo [id]': { args: stepId },
  'redo [id]': { args: stepId },
  'snapshot save <name>': { examples: ['before'] },
  'snapshot load <name>': { examples: ['before'] },
  'snapshot delete <name>': { examples: ['before'] },
  'space create <name>': named('Created', 'checkout-test'),
  'space remove <name>': named('Removed', 'checkout-test'),
  'state save <file>': {
    about:
      'Save the state as a file: records, persona, forced outcomes, delays, chaos, clock, snapshots and log. It is a fixture for "dev --fixtures" and "state load".',
    examples: ['state.json'],
    args: newFile,
    print: (document, { file }) => ({ document, file }),
  },
  'state export': { print: (document) => ({ document }) },
  'state load <file>': {
    examples: ['state.json'],
    args: { file: 'the state file' },
    input: async ({ file }) => (await import('../read-state-file.js')).readStateFile(file),
  },
  log: logDetails,
  'log show <id>': {
    examples: ['1', '1 --json'],
    // For people, in a pipe too: bodies may have any character.
    print: (data) => ({ data, lines: detailLines(data).map(printableLines) }),
  },
  'log send <id>': {
    examples: ['1', '1 --session acme-viewer', `1 --method POST --body '{"name":"Another"}'`],
    options: [['--no-session', 'send it without a session']],
    // `--no-session` makes it false.
    input: ({ id, method, path, body, session }) => ({
      ...{ id, method, path, body, session: session === undefined ? undefined : session || null },
    }),
    message: ({ id, status, why }) => `Request ${id}: ${status || 'no response'} (${why}).`,
    print: (data) => ({ data, lines: [data.response?.body?.text ?? ''].filter(Boolean) }),
  },
  'log rewind <id>': {
    examples: ['1', '1 --after'],
  },
  'log diff <id>': {
    examples: ['1', '1 --after'],
    print: (data) => ({ data, lines: changeLines(data) }),
  },
  'log export': {
    examples: ['--har --output log.har'],
    options: [
      ['--har', 'as HAR 1.2, the only format'],
      ['--output <file>', 'write to this file, atomically'],
    ],
    print: (document, { output }) => ({ document, file: output }),
  },
}
