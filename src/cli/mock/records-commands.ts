import type { Command } from 'commander'
import type { Persona } from '../../mock/core/controls.js'
import type { StateRecord } from '../../store/state-file.js'
import { show } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { UserError } from '../user-error.js'
import { controlCommand, type Options } from './control-command.js'
import { records, snapshots, spaces } from './mock-tables.js'

export const define = (group: Command) => groups[group.name()]?.(group)

const named = (verb: string) => (_: unknown, input: { name: string }) => `${verb} ${input.name}.`
const undoes = '"npx dashboard-api undo" takes it back.'

const groups: Record<string, (group: Command) => void> = {
  persona(group) {
    group.description(
      'Add and remove personas of a running mock. "session list" shows them, "session use" chooses one.',
    )
    controlCommand(group, 'add <id>', 'addSession', {
      examples: ['initech-boss --organization org_initech --team Initech --role owner'],
      input: ({ id, email, givenName, familyName, orgCode, teamName, permissions, role, note }) => ({
        ...{ id, email, givenName, familyName, orgCode, teamName, role, note },
        permissions: wordsOf(permissions),
      }),
      message: (_, { id }) =>
        `Added the persona ${id}. Send the cookie session=${id}, or choose it with "session use".`,
      print: ({ sessions }, { id, json }) =>
        show({ data: sessions.find((each: Persona) => each.id === id), lines: [id] }, json),
    })
    controlCommand(group, 'remove <id>', 'removeSession', {
      examples: ['initech-boss'],
      message: (_, { id }) => `Removed the persona ${id}. ${undoes}`,
      print: (data, { id, json }) => show({ data, lines: [id] }, json),
    })
  },
  data(group) {
    group.description('The records of a running mock, of any kind: list, add, change, remove.')
    controlCommand(group, 'add <kind> <record...>', 'addRecord', {
      examples: ['users email=kim@acme.example givenName=Kim'],
      input: ({ kind, record }) => ({ kind, record: parseFields(record) }),
      message: () => 'Added the record.',
      print: printRecord,
    })
    controlCommand(group, 'set <kind> <key> <fields...>', 'setRecord', {
      examples: [
        'users user-kim familyName=Sato',
        'sessions acme-viewer permissions:=\'["create:projects"]\' note:=null',
      ],
      input: ({ kind, key, fields }) => ({ kind, key, fields: parseFields(fields) }),
      message: () => 'Changed the record.',
      print: printRecord,
    })
    controlCommand(group, 'list <kind>', 'data', {
      examples: ['projects --search app --sort=-createdAt --limit 10'],
      print: records,
    })
    controlCommand(group, 'remove <kind> <key>', 'removeRecord', {
      examples: ['users user-kim', 'teams team-globex --dependants'],
      message: ({ removed }) =>
        `Removed ${pluralize(
          Object.values(removed).reduce((sum, each) => sum + each, 0),
          'record',
        )}. ${undoes}`,
      print: ({ removed }, { key, json }) => show({ data: { removed }, lines: [key] }, json),
    })
  },
  snapshot(group) {
    group.description('Save and load the state of a running mock; list and delete what was saved.')
    const examples = ['before']
    const print = snapshots
    controlCommand(group, 'save <name>', 'saveSnapshot', { examples, print, message: named('Saved') })
    controlCommand(group, 'load <name>', 'loadSnapshot', { examples, message: named('Loaded') })
    controlCommand(group, 'delete <name>', 'deleteSnapshot', { examples, print, message: named('Deleted') })
    controlCommand(group, 'list', 'snapshots', { print })
  },
  space(group) {
    group.description(
      'Show, create and remove the spaces of a running mock: copies of its state for parallel tests.',
    )
    const examples = ['checkout-test']
    const print = spaces
    controlCommand(group, 'create <name>', 'createSpace', { examples, print, message: named('Created') })
    controlCommand(group, 'list', 'spaces', { print })
    controlCommand(group, 'remove <name>', 'removeSpace', { examples, print, message: named('Removed') })
  },
}

const printRecord = ({ record }: { record: StateRecord }, { json }: Options) =>
  show({ data: { record }, lines: ['id' in record ? record.id : record.email] }, json)

/** The words of a list that is separated by commas. */
const wordsOf = (list?: unknown): string[] | undefined =>
  list === undefined
    ? undefined
    : String(list)
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)

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
