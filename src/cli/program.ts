import { Command } from 'commander'
import { clock } from './commands/clock.js'
import { completion } from './commands/completion.js'
import { config } from './commands/config.js'
import { database } from './commands/database.js'
import { delay } from './commands/delay.js'
import { dev } from './commands/dev.js'
import { init } from './commands/init.js'
import { log } from './commands/log.js'
import { openapi } from './commands/openapi.js'
import { examples } from './commands/options.js'
import { project } from './commands/project.js'
import { reset } from './commands/reset.js'
import { scenario } from './commands/scenario.js'
import { seed } from './commands/seed.js'
import { serve } from './commands/serve.js'
import { session } from './commands/session.js'
import { snapshot } from './commands/snapshot.js'
import { state } from './commands/state.js'
import { team } from './commands/team.js'
import { user } from './commands/user.js'
import { verify } from './commands/verify.js'
import { waitlist } from './commands/waitlist.js'
import { beQuiet, writeData, writeMessage } from './output.js'
import { packageVersion } from './package.js'

const groups: [heading: string, commands: ((program: Command) => unknown)[]][] = [
  ['The mock:', [dev, session, scenario, delay, clock, reset, snapshot, state, log, init]],
  ['Production:', [serve, config, database, seed, team, user, project, waitlist]],
  ['The interface:', [openapi, verify]],
  ['The shell:', [completion]],
]

/** The whole command line. A command loads what it needs when it acts, so that help costs next to nothing. */
export function createProgram(): Command {
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
    .addHelpText('after', examples('npx dashboard-api dev', 'npx dashboard-api help serve'))
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading)
    for (const add of commands) add(program)
  }
  for (const command of commandsOf(program)) {
    command.showHelpAfterError(`hint: "npx ${pathOf(command)} --help" shows what it takes.`)
  }
  return program
}

const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)]

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
