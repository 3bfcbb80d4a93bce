import { Command } from 'commander'
import { groups } from './commands.js'
import { beQuiet, writeData, writeMessage } from './output/output.js'
import { packageVersion } from './package.js'

/**
 * The command line. Of the commands only the one that is meant is made whole, and that loads what it needs when
 * it acts, so that help costs next to nothing.
 * @param meant the command's name; left out, all are made whole
 */
export function createProgram(meant?: string): Command {
  const program = new Command('dashboard-api')
    .description('The team dashboard API: a mock for front-end work, and the production server.')
    .version(packageVersion())
    .configureOutput({ writeOut: writeData, writeErr: writeMessage })
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .option('-q, --quiet', 'write no messages: only data, and what went wrong')
    .hook('preAction', () => {
      if (program.opts().quiet) beQuiet()
    })
    .addHelpText('after', '\nExamples:\n  npx dashboard-api dev\n  npx dashboard-api help serve\n')
  for (const [heading, entries] of groups) {
    program.commandsGroup(heading)
    for (const { name, summary, add } of entries) {
      if (meant === undefined || meant === name) add(program)
      else program.command(name)
      program.commands.at(-1)?.summary(summary)
    }
  }
  for (const command of commandsOf(program)) {
    command.showHelpAfterError(`hint: "npx ${pathOf(command)} --help" shows what it takes.`)
  }
  return program
}

/**
 * The command that a command line means: its first word, or the word that it wants help about. Completion tells of
 * every command: it means them all.
 */
export function commandFromArgv(argv: string[]): string | undefined {
  const [first = '', second = ''] = argv.slice(2).filter((word) => !word.startsWith('-'))
  const meant = first === 'help' ? second : first
  return meant === 'completion' ? undefined : meant
}

const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)]

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
