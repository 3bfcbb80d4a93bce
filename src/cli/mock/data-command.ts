import { Argument, type Command } from 'commander'
import type { StateKind, StateRecord } from '../../store/state-file.js'
import { examples, mockOptions, parseCount } from '../options.js'
import { printMessage, show, showTable } from '../output/output.js'
import { pluralize } from '../output/pluralize.js'
import { printable } from '../output/printable.js'
import { UserError } from '../user-error.js'
import { controlMock } from './control-mock.js'

/** Not from the state file, which loads zod. */
const kinds = ['teams', 'users', 'sessions', 'projects', 'waitlist'] as const satisfies StateKind[]

const kindArgument = () => new Argument('<kind>', 'the kind of record').choices(kinds)
const keyArgument = ['<key>', 'the id of the record; of a waitlist entry, its address'] as const

export const define = (data: Command) => {
  const addAndSet = examples(
    'npx dashboard-api data add users email=kim@acme.example givenName=Kim',
    'npx dashboard-api data set users user-kim familyName=Sato',
    'npx dashboard-api data remove users user-kim',
  )
  data
    .description('The records of a running mock, of any kind: list, add, change, remove.')
    .addHelpText('after', addAndSet)

  mockOptions(data.command('list'))
    .description('List the records of a kind.')
    .addArgument(kindArgument())
    .option('--search <text>', 'only those with this text in a field, in any case')
    .option('--sort <field>', 'sort by this field; with - before it, descending')
    .option('--offset <number>', 'skip this many', parseCount)
    .option('--limit <number>', 'list this many at most', parseCount)
    .addHelpText(
      'after',
      examples('npx dashboard-api data list projects --search app --sort=-createdAt --limit 10'),
    )
    .action(async (kind, { json, url, space, ...query }) => {
      const page = await controlMock({ url, space })('data', { kind, ...query })
      const names = [...new Set(page.records.flatMap((record) => Object.keys(record)))]
      const columns = names.map((name) => ({
        title: name,
        value: (record: StateRecord) => cellOf(Reflect.get(record, name)),
        shrinks: true,
      }))
      const emptyText = page.total === 0 ? 'There is no record.' : 'No record has the text.'
      await showTable({ data: page, columns, rows: page.records, emptyText }, json)
    })

  mockOptions(data.command('add'))
    .description('Add a record. Ids, times and the like that it lacks are made.')
    .addArgument(kindArgument())
    .argument('<fields...>', 'NAME=TEXT, or NAME:=JSON')
    .addHelpText('after', addAndSet)
    .action(async (kind, fields, { json, ...address }) => {
      const { record } = await controlMock(address)('addRecord', { kind, record: parseFields(fields) })
      printMessage('Added the record.')
      await show({ data: { record }, lines: [keyOf(record)] }, json)
    })

  mockOptions(data.command('set'))
    .description('Change fields of a record; null removes an optional one.')
    .addArgument(kindArgument())
    .argument(...keyArgument)
    .argument('<fields...>', 'NAME=TEXT, or NAME:=JSON')
    .addHelpText(
      'after',
      examples(
        'npx dashboard-api data set sessions acme-viewer permissions:=\'["create:projects"]\' note:=null',
      ),
    )
    .action(async (kind, key, fields, { json, ...address }) => {
      const { record, warning } = await controlMock(address)('setRecord', {
        kind,
        key,
        fields: parseFields(fields),
      })
      printMessage('Changed the record.')
      if (warning) printMessage(printable(warning))
      await show({ data: { record }, lines: [keyOf(record)] }, json)
    })

  mockOptions(data.command('remove'))
    .description('Remove a record.')
    .addArgument(kindArgument())
    .argument(...keyArgument)
    .option('--dependants', 'a team with its projects and its sessions, a user with its sessions')
    .addHelpText('after', examples('npx dashboard-api data remove teams team-globex --dependants'))
    .action(async (kind, key, { json, dependants, ...address }) => {
      const { removed, warning } = await controlMock(address)('removeRecord', { kind, key, dependants })
      const count = Object.values(removed).reduce((sum, each) => sum + each, 0)
      printMessage(`Removed ${pluralize(count, 'record')}. "npx dashboard-api undo" takes it back.`)
      if (warning) printMessage(printable(warning))
      await show({ data: { removed }, lines: [key] }, json)
    })
}

const cellOf = (value: unknown): string => (value == null ? '' : String(value))

const keyOf = (record: StateRecord): string => ('id' in record ? record.id : record.email)

/** `name=text` and `name:=json`. @throws UserError */
function parseFields(fields: string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => {
      const [, name, colon, text = ''] = /^([^:=]+)(:?)=(.*)$/s.exec(field) ?? []
      if (name === undefined)
        throw new UserError(`"${field}" is not a field.`, 'Write name=text, or name:=json.')
      if (!colon) return [name, text]
      try {
        return [name, JSON.parse(text)]
      } catch {
        throw new UserError(`The value of ${name} is not JSON: ${text}.`, 'Write name=text for a text.')
      }
    }),
  )
}
