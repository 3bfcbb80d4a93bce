import { type Command, Option } from 'commander'
import type { Project } from '../../contract/schemas.js'
import { type CommandUsage, type ControlOf, commandList } from '../../mock/controls/control-commands.js'
import type { EditedRecord } from '../../mock/controls/data-controls.js'
import type { SessionList } from '../../mock/controls/persona-controls.js'
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
  for (const command of commandList) {
    const [name, ...rest] = command.usage.split(' ')
    if (name === group.name()) controlCommand(group, rest.join(' '), command, details[command.usage] ?? {})
  }
}

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
    async input({ id: given }, call) {
      const id = given ?? (await pickPersona(await call('sessions')))
      return id && { id }
    },
    print: printActive,
  },
  'session current': {
    print(list, given) {
      const persona = printActive(list)
      if (persona) return persona
      throw new Failure(
        `The mock at ${urlOf(given)} has no active persona.`,
        'Choose one with "npx dashboard-api session use".',
      )
    },
  },
  'persona add <id>': {
    message: (_, { id }) => `Send the cookie session=${id}, or choose it with "session use".`,
    print: ({ sessions }, { id }) => ({
      data: sessions.find((each: Persona) => each.id === id),
      lines: [id],
    }),
  },
  'persona remove <id>': {
    print: (data, { id }) => ({ data, lines: [id] }),
  },
  'project list': {
    isBare: true,
    options: [teamOption],
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
    args: { name: 'its name' },
    async input({ id, name, description, status, createdAt, team }, call) {
      const { id: teamId } = await teamOf(call, team)
      return { kind: 'projects', record: { id, name, description, status, createdAt, teamId } }
    },
  },
  'project set <id>': {
    ...ofProject(['--name <text>', 'its name'], ['--no-description', 'without a description']),
    args: { id: projectId },
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
    isBare: true,
    args: { id: projectId },
    input: ({ id }) => ({ kind: 'projects', key: id }),
    print: ({ removed }, { id }) => ({ data: { removed }, lines: [id] }),
  },
  'data remove <kind> <key>': {
    print: ({ removed }, { key }) => ({ data: { removed }, lines: [key] }),
  },
  'scenario set <target> [outcome]': {
    options: [
      new Option(
        '--until-cleared',
        'until "mock scenario clear" or a reset, as named scenarios do',
      ).conflicts('times'),
      ['--body <file>', 'in place of an outcome: respond with this JSON file; - reads standard input'],
      ['--status <status>', "with --body: the status (default: that of the operation's success)", parseCount],
      ['--header <header...>', 'with --body: a header of the response, e.g. "Retry-After: 5"'],
      ['--unchecked', 'with --body: allow a body that is not JSON or violates the contract'],
    ],
    input: async ({ target, outcome, times, session, untilCleared, ...given }) => ({
      ...{ target, outcome, session, response: await readResponse(given) },
      times: untilCleared ? null : times,
    }),
    message(_, { target, space, url }) {
      const place = [...(url ? ['--url', url] : []), ...(space ? ['--space', space] : [])]
      return `End it with "npx dashboard-api mock scenario clear ${[target, ...place].map(shellQuote).join(' ')}".`
    },
    inOptions: (refusal) =>
      refusal
        .replace('custom response', 'custom response (--body)')
        .replace(/(?<= )unchecked\b/, '--unchecked'),
  },
  'scenario list': {
    options: [['--possible', 'list the possible outcomes of each operation, and the named scenarios']],
    async print(data, { possible }, call) {
      if (possible) return possibleScenarios(await call('possibleScenarios'))
      const { all, operations } = await call('chaos')
      const hint = 'Requests fail at random, too: "npx dashboard-api mock chaos show".'
      return { ...scenarios(data), hints: all || Object.keys(operations).length > 0 ? [hint] : [] }
    },
  },
  'clock clear': { isBare: true },
  'handlers export [file]': {
    args: newFile,
    print: (data, { file }) => ({ data, document: data.text, file }),
  },
  'undo [id]': { args: stepId },
  'redo [id]': { args: stepId },
  'state save <file>': {
    args: newFile,
    print: (document, { file }) => ({ document, file }),
  },
  'state export': { print: (document) => ({ document }) },
  'state load <file>': {
    args: { file: 'the state file' },
    input: async ({ file }) => (await import('../read-state-file.js')).readStateFile(file),
  },
  log: logDetails,
  'log show <id>': {
    // For people, in a pipe too: bodies may have any character.
    print: (data) => ({ data, lines: detailLines(data).map(printableLines) }),
  },
  'log send <id>': {
    options: [['--no-session', 'send it without a session']],
    // `--no-session` makes it false.
    input: ({ id, method, path, body, session }) => ({
      ...{ id, method, path, body, session: session === undefined ? undefined : session || null },
    }),
    message: ({ id, status, why }) => `Request ${id}: ${status || 'no response'} (${why}).`,
    print: (data) => ({ data, lines: [data.response?.body?.text ?? ''].filter(Boolean) }),
  },
  'log diff <id>': {
    print: (data) => ({ data, lines: changeLines(data) }),
  },
  'log export': {
    options: [
      ['--har', 'as HAR 1.2, the only format'],
      ['--output <file>', 'write to this file, atomically'],
    ],
    print: (document, { output }) => ({ document, file: output }),
  },
}
