import { Argument, type Command, InvalidArgumentError, Option, type OptionValues } from 'commander'
import * as z from 'zod'
import { type ControlCommand, fieldType, optionName } from '../../mock/controls/control-commands.js'
import type { ControlName, ControlOutput } from '../../mock/controls/control-endpoints.js'
import type { FieldType, Help } from '../../mock/controls/control-entry.js'
import type { OfCommand } from '../../mock/controls/control-fields.js'
import { type ControlInput, controlTable } from '../../mock/controls/control-table.js'
import { changes, saidOf, unchanged } from '../../mock/controls/control-words.js'
import { ControlError } from '../../mock/state/control-error.js'
import {
  type ControlClient,
  createControlClient,
  type RanRemotely,
} from '../../mock/surfaces/control-client.js'
import { parseJsonText } from '../../store/parse-json-text.js'
import { addCommand, type CommandData } from '../define-command.js'
import { jsonOption, parsePermissions, spaceOption, urlOf, urlOption } from '../options.js'
import { UserError } from '../user-error.js'
import { tables } from './mock-tables.js'

/** The arguments and options of a command, the fields of the input among them. */
type Given<Name extends ControlName> = ControlInput<Name> & OptionValues

/** The parts of a command that its control lacks. */
export type ControlDetails<Name extends ControlName> = Pick<CommandData, 'options'> & {
  /** Whether the fields of the input that are no arguments have no options. */
  isBare?: boolean
  /** Descriptions of the arguments that are not fields of the input, by their names. */
  args?: Record<string, string>
  /** Makes the input; by default it has the fields that were given. With undefined, nothing is called. */
  input?(given: Given<Name>, call: ControlClient['call']): unknown
  /** A refusal of the mock, with the names of the options in place of those of the fields. */
  inOptions?(refusal: string): string
  /** What follows the sentence of the step. */
  message?(result: ControlOutput<Name>, given: Given<Name>): string
  /** The output; by default the table of the control, or the data with `--json` alone. */
  print?(
    result: ControlOutput<Name>,
    given: Given<Name>,
    call: ControlClient['call'],
  ): ReturnType<CommandData['run']>
}

/**
 * Defines the command of a control: its words, checks and choices are those of the control's schema.
 * @param usage the command below its parent, with its arguments, which are named as fields of the input, as in `set <ms>`; the
 * parent itself if it is empty. Other fields are options.
 */
export function controlCommand(
  parent: Command,
  usage: string,
  command: ControlCommand,
  given: ControlDetails<never>,
): Command {
  const { control, fixed, args } = command
  const details = given as ControlDetails<ControlName>
  const entry: { about: string; input: z.ZodType; help?: Record<string, Help> } = controlTable[control]
  const schema = entry.input
  const names = args.map((word) => word.replace(/\W/g, ''))
  const fields: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {}
  const isOption = (name: string) => !details.isBare && !names.includes(name) && !(name in fixed)
  const print = details.print ?? (tables[control] as unknown as ControlDetails<ControlName>['print'])
  return addCommand(parent, usage, {
    about: entry.about,
    ...entry.help?.[command.usage],
    args: args.map((word, i) =>
      argumentOf(word, command, fields[names[i] ?? ''], details.args?.[names[i] ?? '']),
    ),
    options: [
      ...Object.keys(fields)
        .filter(isOption)
        .flatMap((name) => optionOf(name, command, fields[name])),
      ...(details.options ?? []),
      urlOption(),
      jsonOption(),
      // Spaces are those of the whole mock.
      ...(/space/i.test(control) ? [] : [spaceOption()]),
    ],
    async run(unparsed) {
      const all = await parseFields(unparsed)
      const given = all as Given<ControlName>
      const { call, run } = createControlClient(urlOf(all), all.space)
      const input = details.input
        ? await details.input(given, call)
        : { ...Object.fromEntries(Object.keys(fields).map((name) => [name, all[name]])), ...fixed }
      if (input === undefined) return { message: unchanged }
      const ran = await (run as Run)(control, input).catch((error) => {
        if (error instanceof ControlError && details.inOptions)
          error.message = details.inOptions(error.message)
        throw error
      })
      const { output: result, step } = ran
      const said = changes(control) ? saidOf(control, step, input) : undefined
      const more = said === unchanged ? undefined : details.message?.(result, given)
      const message = [said, more, Object(result).warning].filter(Boolean)
      const printed = print ? await print(result, given, call) : { data: result }
      return printed && { message, ...printed }
    },
  })
}

type Run = (name: ControlName, input: unknown) => Promise<RanRemotely<ControlName>>

const unwrap = (schema?: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrap(schema.unwrap() as z.ZodType)
    : (schema as z.ZodType)

/** How the table describes a field: for commands in other words, with a name for its value. */
const metaOf = (schema?: z.ZodType): OfCommand & { description?: string } => ({
  ...(unwrap(schema)?.meta() as OfCommand),
  ...(schema?.meta() as OfCommand),
})

/** The name of an option's value, by the type of its field; a flag has none. */
const valueNames = { number: 'number', flag: undefined, list: 'list', fields: undefined, text: 'text' }

function argumentOf(
  word: string,
  { control }: ControlCommand,
  schema: z.ZodType | undefined,
  about?: string,
): Argument {
  const { help, description } = metaOf(schema)
  const argument = new Argument(word, about ?? help ?? description)
  const field = unwrap(schema)
  if (field instanceof z.ZodEnum) return argument.choices(field.options.map(String))
  return field ? argument.argParser(parserOf(field, fieldType(control, argument.name()))) : argument
}

/** The option of a field, stored by the name of the field; none for an object, which no option can give. */
function optionOf(name: string, { control }: ControlCommand, schema?: z.ZodType): Option[] {
  const field = unwrap(schema)
  if (field instanceof z.ZodObject) return []
  const type = fieldType(control, name)
  const { help, description, value = valueNames[type] } = metaOf(schema)
  const flags = `--${optionName(name)}${value === undefined ? '' : ` <${value}>`}`
  const option = new Option(flags, help ?? description)
  option.attributeName = () => name
  if (type !== 'flag' && !option.variadic) option.argParser(parserOf(field, type))
  return [option]
}

/** Parses the text of a field: an item of an object, or the permissions, a number, or a text. */
const parserOf =
  (field: z.ZodType, type: FieldType) =>
  (text: string, previous: unknown): unknown => {
    if (type === 'fields') return { ...Object(previous), ...parseField(text) }
    if (type === 'list') return parsePermissions(text)
    const { data, error } = field.safeParse(type === 'number' ? Number(text) : text)
    if (error) throw new InvalidArgumentError(error.issues[0]?.message ?? '')
    return data
  }

/** The JSON of a field, which is parsed when the command runs. */
class UnparsedJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** `name=text` or `name:=json`. */
function parseField(field: string): Record<string, unknown> {
  const [, name, colon, text = ''] = /^([^:=]+)(:?)=(.*)$/s.exec(field) ?? []
  if (name === undefined) throw new InvalidArgumentError('Expected a field, as name=text or name:=json.')
  return { [name]: colon ? new UnparsedJson(text) : text }
}

/** Parses the fields of objects among the options. @throws UserError with the position of a fault */
async function parseFields(options: OptionValues): Promise<OptionValues> {
  const parsed = { ...options }
  for (const [option, fields] of Object.entries(options)) {
    if (Object(fields) !== fields || Array.isArray(fields)) continue
    parsed[option] = { ...fields }
    for (const [name, value] of Object.entries(fields)) {
      if (value instanceof UnparsedJson) parsed[option][name] = await parseValue(name, value.text)
    }
  }
  return parsed
}

const parseValue = (name: string, text: string): Promise<unknown> =>
  parseJsonText(text).catch((error: Error) => {
    throw new UserError(`The value of ${name}: ${error.message}.`, `Write ${name}=text for a text.`)
  })
