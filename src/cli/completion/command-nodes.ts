import type { Argument, Command, Option } from 'commander'

/** A command, and the words that may follow it. */
export type CommandNode = {
  /** The command with its parents, e.g. `waitlist export`; empty for the program itself. */
  path: string
  commands: Named[]
  options: OptionNode[]
  /** The values of an argument with a fixed set of them. */
  choices: string[]
  /** An argument is a file or a folder. */
  takesFile: boolean
}
export type Named = { name: string; description: string }
export type OptionNode = Named & {
  names: string[]
  takesValue: boolean
  choices: string[]
  takesFile: boolean
}

/** Every command of a program, read from the program itself, so that none is missing. */
export function commandNodes(program: Command): CommandNode[] {
  const shared = program.options.filter(({ long }) => long !== '--version')
  const walk = (command: Command, path: string[]): CommandNode[] => {
    const own = path.length === 0 ? command.options : [...command.options, ...shared]
    const options = [...own, help].filter(({ hidden }) => !hidden)
    const args = command.registeredArguments
    const node: CommandNode = {
      path: path.join(' '),
      commands: command.commands.map((each) => ({
        name: each.name(),
        description: firstClause(each.summary() || each.description()),
      })),
      options: options.map(optionNode),
      choices: args.flatMap(({ argChoices }) => argChoices ?? []),
      takesFile: args.some((arg: Argument) => isFile(arg.name())),
    }
    return [node, ...command.commands.flatMap((each) => walk(each, [...path, each.name()]))]
  }
  return walk(program, [])
}

type Described = Pick<Option, 'long' | 'short' | 'description' | 'flags' | 'argChoices' | 'hidden'>

const help: Described = {
  long: '--help',
  short: '-h',
  flags: '-h, --help',
  description: 'show the help',
  argChoices: undefined,
  hidden: false,
}

const optionNode = ({ long, short, flags, description, argChoices = [] }: Described): OptionNode => ({
  name: long ?? short ?? flags,
  names: [long, short].filter((name) => name !== undefined),
  description: firstClause(description),
  takesValue: /[<[]/.test(flags),
  choices: [...argChoices],
  takesFile: isFile(flags),
})

const isFile = (text: string) => /file|folder|dir/.test(text)

/** The first clause of a description, without characters that are special in a shell. */
const firstClause = (text: string): string => (text.split(/[.;(]/)[0] ?? '').replace(/[^\w ,/-]/g, '').trim()
