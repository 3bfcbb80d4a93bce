import { Command } from 'commander'
import { setCommand } from '../store/process-origin.js'
import { commandGroups } from './commands.js'
import { pathOf } from './define-command.js'
import { hideMessages, writeData, writeMessage } from './output/output.js'
import { asInstalled } from './package.js'

/**
 * The command line. Only the selected command is loaded; of the others it knows the name and the summary.
 * @param selected the command's name; if omitted, all commands are loaded
 * @param version the output of `--version`
 */
export async function createProgram(selected?: string, version = ''): Promise<Command> {
  const program = new Command('dashboard-api')
    .version(version, '-V, --version', 'print the version, the commit and the schema versions')
    .configureOutput({ writeOut: (text) => writeData(asInstalled(text)), writeErr: writeMessage })
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .option('-q, --quiet', 'print only data and errors')
    .hook('preAction', (_, command) => {
      if (program.opts().quiet) hideMessages()
      setCommand(pathOf(command).replace(`${program.name()} `, ''))
    })
  for (const [heading, commands] of commandGroups) {
    program.commandsGroup(heading)
    for (const [name, summary, load] of commands) {
      const about = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
      const command = program.command(name).summary(summary).description(about)
      if (selected === undefined || selected === name) (await load()).define(command)
    }
  }
  program.helpCommand('help [command]', 'show the help of a command')
  // Lists without blank lines between them: all commands fit a screen.
  const formatItemList = (heading: string, items: string[]) => (items.length > 0 ? [heading, ...items] : [])
  program.configureHelp({ showGlobalOptions: true, formatItemList }).addHelpText('after', '\n')
  for (const command of withSubcommands(program)) {
    command.showHelpAfterError(`hint: "npx ${pathOf(command)} --help" shows the usage.`)
  }
  return program
}

/** The command that a command line names: its first word, or that after `help` or `complete`; '' if there is none. */
export function commandFromArgv(argv: string[]): string {
  const [first = '', second = ''] = argv.slice(2).filter((word) => !word.startsWith('-'))
  return ['help', 'complete'].includes(first) ? second : first
}

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
]
