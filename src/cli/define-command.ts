import { Argument, type Command, InvalidArgumentError, Option, type OptionValues } from 'commander'
import { shown } from '../contract/shown.js'
import { type CommandResult, show } from './output/show.js'
import { UserError } from './user-error.js'

/** An option as data; a value that is not given is the default. */
export type OptionData =
  | Option
  | [flags: string, description: string, parse?: (text: string) => unknown, fallback?: unknown]

/** A command as data. */
export type CommandData = {
  about: string
  /** Descriptions of the arguments, in the order of the usage. */
  args?: (string | Argument)[]
  options?: OptionData[]
  /** Shown below the options. */
  notes?: string
  /** The ends of its examples, as in `org_acme --json`; a line with `npx` or `export` is printed as it is. */
  examples?: string[]
  /** Gets arguments and options by their names. Its result is printed. */
  run(given: OptionValues): Promise<CommandResult | undefined> | CommandResult | undefined
}

/** @param usage the command below its parent, with its arguments, as in `show <team>`; the parent itself if it has no name */
export function addCommand(parent: Command, usage: string, data: CommandData): Command {
  const { about, args = [], options = [], notes, run } = data
  const words = usage.split(' ').filter(Boolean)
  const name = /^\w/.test(usage) ? words.shift() : undefined
  const command = name === undefined ? parent : parent.command(name)
  command.description(about)
  for (const [i, word] of words.entries()) {
    const arg = args[i]
    const argument = arg instanceof Argument ? arg : new Argument(word, arg)
    command.addArgument(withRefusal(argument, word, command))
  }
  for (const given of options) {
    const option = given instanceof Option ? given : optionOf(given)
    command.addOption(withRefusal(option, option.flags, command))
  }
  if (notes) command.addHelpText('after', notes)
  addExamples(command, parent, data.examples)
  return command.action(async () => {
    const names = command.registeredArguments.map((each) => each.name())
    const values = Object.fromEntries(names.map((each, i) => [each, command.processedArgs[i]]))
    // Options that the parent has too are parsed as its own.
    const given = { ...command.optsWithGlobals(), ...values }
    // As `-` is stdin where a file is read.
    if (given.output === '-') given.output = undefined
    const result = await run(given)
    if (result) await show(result, given.json)
  })
}

function optionOf([flags, description, parse, fallback]: Exclude<OptionData, Option>): Option {
  const option = new Option(flags, description).default(fallback)
  return parse ? option.argParser(parse) : option
}

/** Has a refused value named once and shortened. Commander itself prints all of it, also where the reason has it too. */
function withRefusal<Target extends Argument | Option>(
  target: Target,
  term: string,
  command: Command,
): Target {
  const parse = target.parseArg?.bind(target)
  if (!parse) return target
  target.argParser((text: string, previous: unknown) => {
    try {
      return parse(text, previous)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      throw new UserError(
        `${term} cannot be ${shown(text)}. ${error.message}`,
        `"npx ${pathOf(command)} --help" shows the usage.`,
      )
    }
  })
  return target
}

/** The words of a command, the program's name first. */
export const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/** Commands with own examples. */
const withOwn = new WeakSet<Command>()

/**
 * Adds examples to the help of a command. A parent without examples shows the first.
 * @param ends the part of each example after the command's name
 */
export function addExamples(command: Command, parent: Command = command, ends = ['']): void {
  const isLine = (end: string) => /npx |^export /.test(end)
  const lines = ends.map((end) => (isLine(end) ? end : `npx ${pathOf(command)} ${end}`.trimEnd()))
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`)
  if (command === parent) withOwn.add(command)
  else if (!withOwn.has(parent)) {
    parent.addHelpText('after', `${parent.commands.length === 1 ? '\nExamples:\n' : ''}  ${lines[0]}`)
  }
}
