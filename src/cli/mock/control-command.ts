import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import * as z from 'zod'
import type { ControlName, ControlOutput } from '../../mock/http/control-endpoints.js'
import { type ControlInput, controlTable } from '../../mock/http/control-table.js'
import { examples, jsonOption, spaceOption, urlOption } from '../options.js'
import { printMessage, show } from '../output/output.js'
import { printable } from '../output/printable.js'
import { controlMock, type MockAddress } from './control-mock.js'

type Call = ReturnType<typeof controlMock>
export type Options = MockAddress & { json?: boolean }

type Details<Name extends ControlName, Given, Result = ControlOutput<Name>> = {
  /** In place of what the control says of itself. */
  about?: string
  /** The ends of its examples; one without arguments if left out. */
  examples?: string[]
  /** Whether there are no options for the other fields of the input. */
  isBare?: boolean
  /** Arguments and options that are not fields of the input. */
  others?: (Argument | Option)[]
  /** Makes the input of what was given; by default it has the fields that were given. */
  input?(given: Given): unknown
  /** In place of a call with the input. */
  call?(call: Call, given: Given): Promise<Result>
  message?(result: Result, given: Given): string
  /** By default the result is printed with `--json` alone. */
  print?(result: Result, given: Given): Promise<void>
}

/**
 * Defines the command of a control: its words, checks and choices are those of the control's schema.
 * @param usage the command below its parent, with its arguments, which are named as fields of the input, as in `set <ms>`; the
 * parent itself if it is empty. Other fields are options.
 */
export function controlCommand<Name extends ControlName, Extra = unknown>(
  parent: Command,
  usage: string,
  control: Name,
  details: Details<Name, ControlInput<Name> & Options & Extra> = {},
): Command {
  const { about, input: schema } = controlTable[control]
  const [name = '', ...words] = usage.split(' ')
  const command = name === '' ? parent : parent.command(name)
  const fields = new Map(schema instanceof z.ZodObject ? Object.entries<z.ZodType>(schema.shape) : [])
  const args = words.map((word) => argumentOf(word, fields.get(word.replace(/\W/g, ''))))
  const names = args.map((arg) => arg.name())
  const others = details.isBare ? [] : [...fields].filter(([field]) => !names.includes(field))
  const options = others.flatMap(([field, each]) => {
    const option = optionOf(field, each)
    return option ? [{ field, option }] : []
  })
  for (const each of [...args, ...options.map(({ option }) => option), ...(details.others ?? [])]) {
    if (each instanceof Argument) command.addArgument(each)
    else command.addOption(each)
  }
  command
    .addOption(urlOption())
    .addOption(jsonOption())
    .description(details.about ?? about)
  // Spaces are those of the whole mock.
  if (!/space/i.test(control)) command.addOption(spaceOption())
  addExamples(command, parent, details.examples)

  return command.action(async () => {
    const values = command.processedArgs.map(
      (value, i) => [command.registeredArguments[i]?.name(), value] as const,
    )
    // Options that the parent has too are parsed as its own.
    const all = command.optsWithGlobals()
    const fieldsGiven = options.map(({ field, option }) => [field, all[option.attributeName()]])
    const given = { ...all, ...Object.fromEntries([...values, ...fieldsGiven]) }
    const input = Object.fromEntries([...values.filter(([each = '']) => fields.has(each)), ...fieldsGiven])
    const call = controlMock(all)
    const send = call as (name: Name, input: unknown) => Promise<ControlOutput<Name>>
    const result = details.call
      ? await details.call(call, given)
      : await send(control, details.input ? await details.input(given) : input)
    if (details.message) printMessage(printable(details.message(result, given)))
    await (details.print ?? printNothing)(result, given)
    const { warning } = Object(result)
    if (warning) printMessage(printable(warning))
  })
}

const printNothing = (data: unknown, { json }: Options) => show({ data, lines: [] }, json)

/** Commands with examples of their own. */
const withOwn = new WeakSet<Command>()

/** Adds examples to the help of a command; the first one to that of a parent without own ones. @param ends after its name */
export function addExamples(command: Command, parent: Command = command, ends = ['']): void {
  const path = command === parent ? command.name() : `${parent.name()} ${command.name()}`
  const [first = '', ...others] = ends.map((end) => `npx dashboard-api ${path} ${end}`.trimEnd())
  command.addHelpText('after', examples(first, ...others))
  if (command === parent) withOwn.add(command)
  else if (!withOwn.has(parent)) {
    parent.addHelpText('after', `${parent.commands.length === 1 ? '\nExamples:\n' : ''}  ${first}`)
  }
}

const unwrap = (schema?: z.ZodType) =>
  (schema instanceof z.ZodOptional ? schema.unwrap() : schema) as z.ZodType

function argumentOf(word: string, schema: z.ZodType | undefined): Argument {
  const field = unwrap(schema)
  const argument = new Argument(word, field?.description)
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
