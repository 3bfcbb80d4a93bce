import { Argument, type Command, InvalidArgumentError, Option, type OptionValues } from 'commander'
import * as z from 'zod'
import type { ControlName, ControlOutput } from '../../mock/http/control-endpoints.js'
import { type ControlInput, controlTable } from '../../mock/http/control-table.js'
import { addCommand, type CommandData } from '../define-command.js'
import { jsonOption, spaceOption, urlOption } from '../options.js'
import { printMessage } from '../output/output.js'
import { printable } from '../output/printable.js'
import { controlMock } from './control-mock.js'
import { tables } from './mock-tables.js'

/** The arguments and options of a command, the fields of the input among them. */
type Given<Name extends ControlName> = ControlInput<Name> & OptionValues

type Details<Name extends ControlName> = {
  /** In place of what the control says of itself. */
  about?: string
  /** The ends of its examples; one without arguments if left out. */
  examples?: string[]
  /** Whether there are no options for the other fields of the input. */
  isBare?: boolean
  /** What the arguments are that are not fields of the input, by their names. */
  args?: Record<string, string>
  /** Options that are not fields of the input. */
  options?: CommandData['options']
  /** Makes the input of what was given; by default it has the fields that were given. */
  input?(given: Given<Name>): unknown
  /** In place of a call with the input. */
  call?(call: ReturnType<typeof controlMock>, given: Given<Name>): Promise<ControlOutput<Name>>
  message?(result: ControlOutput<Name>, given: Given<Name>): string
  /** What is printed; by default the table of the control, or the data with `--json` alone. */
  print?(result: ControlOutput<Name>, given: Given<Name>): ReturnType<CommandData['run']>
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
  details: Details<Name> = {},
): Command {
  const { about, input: schema } = controlTable[control]
  const words = usage.split(' ').slice(1)
  const names = words.map((word) => word.replace(/\W/g, ''))
  const fields = Object.entries<z.ZodType>(schema instanceof z.ZodObject ? schema.shape : {})
  const options = fields.flatMap(([field, each]) => {
    const option = details.isBare || names.includes(field) ? undefined : optionOf(field, each)
    return option ? [{ field, option }] : []
  })
  const print = details.print ?? (tables[control] as unknown as Details<Name>['print'])

  return addCommand(parent, usage, {
    about: details.about ?? about,
    args: words.map((word, i) => {
      const [, field] = fields.find(([name]) => name === names[i]) ?? []
      return argumentOf(word, field, details.args?.[names[i] ?? ''])
    }),
    options: [
      ...options.map(({ option }) => option),
      ...(details.options ?? []),
      urlOption(),
      jsonOption(),
      // Spaces are those of the whole mock.
      ...(/space/i.test(control) ? [] : [spaceOption()]),
    ],
    ...(details.examples && { examples: details.examples }),
    async run(all) {
      const given = { ...all } as Given<Name>
      for (const { field, option } of options) Reflect.set(given, field, all[option.attributeName()])
      const input = Object.fromEntries(fields.map(([field]) => [field, given[field]]))
      const call = controlMock(all)
      const send = call as (name: Name, input: unknown) => Promise<ControlOutput<Name>>
      const result = details.call
        ? await details.call(call, given)
        : await send(control, details.input ? await details.input(given) : input)
      const { warning } = Object(result)
      if (details.message) printMessage(printable(details.message(result, given)))
      if (warning) printMessage(printable(warning))
      return print ? print(result, given) : { data: result }
    },
  })
}

const unwrap = (schema?: z.ZodType) =>
  (schema instanceof z.ZodOptional ? schema.unwrap() : schema) as z.ZodType

function argumentOf(word: string, schema: z.ZodType | undefined, about?: string): Argument {
  const field = unwrap(schema)
  const argument = new Argument(word, about ?? field?.description)
  if (field instanceof z.ZodEnum) return argument.choices(field.options.map(String))
  return word.includes('...') || !field ? argument : argument.argParser(parseWith(field))
}

/** The option of a field; undefined for an object, which no option can give. */
function optionOf(name: string, schema: z.ZodType): Option | undefined {
  const field = unwrap(schema)
  if (field instanceof z.ZodObject) return undefined
  const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const { flags, description } = field.meta() ?? {}
  const value = field instanceof z.ZodBoolean ? '' : field.safeParse('x').success ? ' <text>' : ' <number>'
  const option = new Option(typeof flags === 'string' ? flags : `--${dashed}${value}`, description)
  const isParsed = !(field instanceof z.ZodBoolean || field instanceof z.ZodArray)
  return isParsed ? option.argParser(parseWith(field)) : option
}

const parseWith = (schema: z.ZodType) => (text: string) => {
  const asText = schema.safeParse(text)
  const { data, error } = asText.success ? asText : schema.safeParse(Number(text))
  if (error) throw new InvalidArgumentError(error.issues[0]?.message ?? '')
  return data
}
