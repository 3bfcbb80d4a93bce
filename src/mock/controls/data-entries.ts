import { defaultTeamLimits } from '../../contract/limits.js'
import type { Clause, Commands, Descriptions, Endpoints, Words } from './control-entry.js'
import type { FieldWords } from './control-fields.js'
import type { createDataControls } from './data-controls.js'
import { changesText, nameOf } from './record-words.js'

export const endpoints = {
  data: ['GET /__dev/data', 'data.list', 'kind', '...'],
  addRecord: ['POST /__dev/data', 'data.add', 'kind', 'record'],
  generateProjects: ['POST /__dev/data/generated', 'data.generate', 'count', '...'],
  setRecord: ['PUT /__dev/data', 'data.set', 'kind', 'key', 'fields'],
  removeRecord: ['DELETE /__dev/data', 'data.remove', 'kind', 'key', '...'],
} as const satisfies Endpoints<{ data: ReturnType<typeof createDataControls> }>

const numberText = (count: unknown) => `${Number(count).toLocaleString('en')} projects`

const ofRecords: Clause = (_, { changes }) => changesText(changes)

export const words: Words<typeof endpoints> = {
  addRecord: {
    will: ({ kind, record }) => `Add ${nameOf(Object(record))} to the ${kind}`,
    did: ofRecords,
  },
  generateProjects: {
    will: ({ count, session }) =>
      `Add ${numberText(count)} to the team of ${session ?? 'the persona of session=active'}`,
    did: ({ count, team }) => `${numberText(count)} were added to ${team}`,
  },
  setRecord: {
    will({ kind, key, fields }, { name = `${kind} ${key}` }) {
      const changed = Object.entries(Object(fields))
      const [[field, value] = []] = changed
      return changed.length === 1 && field === 'name'
        ? `Rename ${name} to ${value}`
        : `Change ${changed.map(([each]) => each).join(', ')} of ${name}`
    },
    did: ofRecords,
  },
  removeRecord: {
    will: ({ kind, key, dependants }) =>
      `Remove ${key} from the ${kind}${dependants ? ', with what depends on it' : ''}`,
    did: ofRecords,
  },
}

const projects = { kind: 'projects' }

export const commands = {
  data: {
    usages: { 'project list': projects, 'data list <kind>': {} },
    fields: { search: 'text', sort: 'text', offset: 'number', limit: 'number' },
  },
  addRecord: {
    usages: { 'project add <name>': projects, 'data add <kind> <record...>': {} },
    fields: { record: 'fields' },
  },
  generateProjects: {
    usages: { 'project generate <count>': {} },
    fields: { count: 'number', session: 'text' },
    verbs: ['generate'],
    example: '1000 projects, 1000 projects for globex-owner',
  },
  setRecord: {
    usages: { 'project set <id>': projects, 'data set <kind> <key> <fields...>': {} },
    fields: { fields: 'fields' },
    verbs: ['rename'],
    example: 'rename mobile app to Tablet app',
  },
  removeRecord: {
    usages: { 'project remove <id>': projects, 'data remove <kind> <key>': {} },
    fields: { dependants: 'flag' },
  },
} as const satisfies Commands<typeof endpoints>

// The control itself validates records, as a state file.
export const describe = ({ meta, optional, bounded, count, flag, strict, kind, key, fields }: FieldWords) =>
  ({
    data: {
      about: 'List the records of a kind.',
      input: strict({
        kind,
        search: optional('text in a field, in any case', {
          help: 'only those with this text in a field, in any case',
        }),
        sort: optional('a field; with - before it, descending', {
          help: 'sort by this field; with - before it, descending',
        }),
        offset: count.meta(meta('', { help: 'skip this many' })).optional(),
        limit: count.meta(meta('', { help: 'list this many at most' })).optional(),
      }),
      tool: { name: 'list_records' },
      help: {
        'project list': {
          about: 'List the projects of a team, newest first.',
          examples: ['', '--team org_globex'],
        },
        'data list <kind>': { examples: ['projects --search app --sort=-createdAt --limit 10'] },
      },
    },
    addRecord: {
      about: 'Add a record. Ids, times and the like that it lacks are made.',
      input: strict({ kind, record: fields }),
      tool: { name: 'add_record', effect: 'adds' },
      help: {
        'project add <name>': {
          about: 'Add a project to a team of a running mock.',
          examples: ['Roadmap --id roadmap'],
        },
        'data add <kind> <record...>': { examples: ['users email=kim@acme.example givenName=Kim'] },
      },
    },
    generateProjects: {
      about: 'Add many projects with different names to the team of a persona, up to the limit of a team.',
      input: strict({
        count: bounded(1, defaultTeamLimits.projects).meta(meta('', { help: 'how many' })),
        session: optional('a persona of the team (default: the active one)', {
          value: 'persona',
          help: 'a persona of the team (default: the persona of session=active)',
        }),
      }),
      tool: { name: 'generate_projects', effect: 'adds' },
      help: { 'project generate <count>': { examples: ['1000', '1000 --session globex-owner'] } },
    },
    setRecord: {
      about: 'Change fields of a record; null removes an optional one.',
      input: strict({ kind, key, fields }),
      tool: { name: 'set_record' },
      help: {
        'project set <id>': {
          about: 'Change fields of a project of a running mock.',
          examples: ['roadmap --status paused --no-description'],
        },
        'data set <kind> <key> <fields...>': {
          examples: [
            'users user-kim familyName=Sato',
            'sessions acme-viewer permissions:=\'["create:projects"]\' note:=null',
          ],
        },
      },
    },
    removeRecord: {
      about: 'Remove a record.',
      input: strict({
        kind,
        key,
        dependants: flag('with what needs it', {
          help: 'a team with its projects and its sessions, a user with its sessions',
        }),
      }),
      tool: { name: 'remove_record' },
      help: {
        'project remove <id>': { about: 'Remove a project of a running mock.', examples: ['roadmap'] },
        'data remove <kind> <key>': { examples: ['users user-kim', 'teams team-globex --dependants'] },
      },
    },
  }) satisfies Descriptions<typeof endpoints, typeof commands>
