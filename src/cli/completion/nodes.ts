import type { Argument, Command, Option } from 'commander'

/** One place of the command line: what may follow there. */
export type Node = {
  /** The commands up to there, e.g. `waitlist export`; empty for the program itself. */
  path: string
  commands: Named[]
  options: OptionNode[]
  /** What the arguments may be, where they are of a fixed set; one that is a file or a folder. */
  choices: string[]
  takesFile: boolean
}
export type Named = { name: string; description: string }
export type OptionNode = Named & {
  names: string[]
  takesValue: boolean
  choices: string[]
  takesFile: boolean
}

/** Every place of a command line, made from the program itself, so that nothing can be forgotten. */
export function nodesOf(program: Command): Node[] {
  const shared = program.options.filter(({ long }) => long !== '--version')
  const walk = (command: Command, path: string[]): Node[] => {
    const own = path.length === 0 ? command.options : [...command.options, ...shared]
    const options = [...own, help].filter(({ hidden }) => !hidden)
    const args = command.registeredArguments
    const node: Node = {
      path: path.join(' '),
      commands: command.commands.map((each) => ({
        name: each.name(),
        description: sentence(each.summary() || each.description()),
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
  description: sentence(description),
  takesValue: /[<[]/.test(flags),
  choices: [...argChoices],
  takesFile: isFile(flags),
})

const isFile = (text: string) => /file|folder|dir/.test(text)

/** Enough of a description for one line, without what shells would take for more than text. */
const sentence = (text: string): string => (text.split(/[.;(]/)[0] ?? '').replace(/[^\w ,/-]/g, '').trim()
