import { Argument, type Command, InvalidArgumentError, Option, type OptionValues } from 'commander'
import * as z from 'zod'
import type { ControlName, ControlOutput } from '../../mock/controls/control-endpoints.js'
import { type ControlInput, controlTable } from '../../mock/controls/control-table.js'
import { changes, saidOf } from '../../mock/controls/control-words.js'
import {
  type ControlClient,
  createControlClient,
  type RanRemotely,
} from '../../mock/surfaces/control-client.js'
import { addCommand, type CommandData } from '../define-command.js'
import { jsonOption, parsePermissions, spaceOption, urlOf, urlOption } from '../options.js'
import { tables } from './mock-tables.js'

/** The arguments and options of a command, the fields of the input among them. */
type Given<Name extends ControlName> = ControlInput<Name> & OptionValues

/** The parts of a command that its control lacks; `about` replaces the description of the control. */
export type ControlDetails<Name extends ControlName> = Partial<
  Pick<CommandData, 'about' | 'examples' | 'options'>
> & {
  /** Whether the fields of the input that are no arguments have no options. */
  isBare?: boolean
  /** Descriptions of the arguments that are not fields of the input, by their names. */
  args?: Record<string, string>
  /** Makes the input; by default it has the fields that were given. With undefined, nothing is called. */
  input?(given: Given<Name>, call: ControlClient['call']): unknown
  /** What follows the sentence of the step, or stands for it if there is none. */
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
export function controlCommand<Name extends ControlName>(
  parent: Command,
  usage: string,
  control: Name,
  details: ControlDetails<Name> = {},
): Command {
  const { input: schema, about } = controlTable[control]
  const words = usage.split(' ').slice(1)
  const names = words.map((word) => word.replace(/\W/g, ''))
  const fields: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {}
  const optional = details.isBare ? [] : Object.keys(fields).filter((name) => !names.includes(name))
  const print = details.print ?? (tables[control] as unknown as ControlDetails<Name>['print'])
  return addCommand(parent, usage, {
    ...details,
    about: details.about ?? about,
    args: words.map((word, i) => argumentOf(word, fields[names[i] ?? ''], details.args?.[names[i] ?? ''])),
    options: [
      ...optional.flatMap((name) => optionOf(name, fields[name])),
      ...(details.options ?? []),
      urlOption(),
      jsonOption(),
      // Spaces are those of the whole mock.
      ...(/space/i.test(control) ? [] : [spaceOption()]),
    ],
    async run(all) {
      const given = all as Given<Name>
      const { call, run } = createControlClient(urlOf(all), all.space)
      const input = details.input
        ? await details.input(given, call)
        : Object.fromEntries(Object.keys(fields).map((name) => [name, all[name]]))
      if (input === undefined) return { message: 'Nothing was changed.' }
      const ran = await (run as (name: Name, input: unknown) => Promise<RanRemotely<Name>>)(control, input)
      const { output: result, step } = ran
      const said = changes(control) && (step || !details.message) ? saidOf(control, step) : undefined
      const message = [said, details.message?.(result, given), Object(result).warning].filter(Boolean)
      const printed = print ? await print(result, given, call) : { data: result }
      return printed && { message, ...printed }
    },
  })
}

const unwrap = (schema?: z.ZodType) =>
  (schema instanceof z.ZodOptional ? schema.unwrap() : schema) as z.ZodType

/** The description of a field in the words of commands. */
function helpOf(field?: z.ZodType): string | undefined {
  const { help, description } = field?.meta() ?? {}
  return typeof help === 'string' ? help : description
}

function argumentOf(word: string, schema: z.ZodType | undefined, about?: string): Argument {
  const field = unwrap(schema)
  const argument = new Argument(word, about ?? helpOf(field))
  if (field instanceof z.ZodEnum) return argument.choices(field.options.map(String))
  return field ? argument.argParser(parserOf(field)) : argument
}

/** The option of a field, stored by the name of the field; none for an object, which no option can give. */
function optionOf(name: string, schema?: z.ZodType): Option[] {
  const field = unwrap(schema)
  if (field instanceof z.ZodObject) return []
  const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const { flags } = field.meta() ?? {}
  const value = field instanceof z.ZodBoolean ? '' : field.safeParse('x').success ? ' <text>' : ' <number>'
  const option = new Option(typeof flags === 'string' ? flags : `--${dashed}${value}`, helpOf(field))
  option.attributeName = () => name
  if (!field.safeParse(true).success && !option.variadic) option.argParser(parserOf(field))
  return [option]
}

/** Parses the text of a field: an item of an object, or the permissions, or a text, or else a number. */
const parserOf =
  (field: z.ZodType) =>
  (text: string, previous: unknown): unknown => {
    if (field instanceof z.ZodObject) return { ...Object(previous), ...parseField(text) }
    if (field instanceof z.ZodArray) return parsePermissions(text)
    const asText = field.safeParse(text)
    const { data, error } = asText.success ? asText : field.safeParse(Number(text))
    if (error) throw new InvalidArgumentError(error.issues[0]?.message ?? '')
    return data
  }

/** `name=text` or `name:=json`. */
function parseField(field: string): Record<string, unknown> {
  const [, name, colon, text = ''] = /^([^:=]+)(:?)=(.*)$/s.exec(field) ?? []
  if (name === undefined)
    throw new InvalidArgumentError(`"${field}" is not a field, as name=text or name:=json.`)
  try {
    return { [name]: colon ? JSON.parse(text) : text }
  } catch {
    throw new InvalidArgumentError(`The value of ${name} is not JSON: write name=text for a text.`)
  }
}
