import { Command } from 'commander'
import { config } from './commands/config.js'
import { database } from './commands/database.js'
import { dev } from './commands/dev.js'
import { init } from './commands/init.js'
import { openapi } from './commands/openapi.js'
import { examples } from './commands/options.js'
import { seed } from './commands/seed.js'
import { serve } from './commands/serve.js'
import { session } from './commands/session.js'
import { verify } from './commands/verify.js'
import { waitlist } from './commands/waitlist.js'
import { writeData, writeMessage } from './output.js'
import { packageVersion } from './package.js'

/** The whole command line. A command loads what it needs when it acts, so that help costs next to nothing. */
export function createProgram(): Command {
  const program = new Command('dashboard-api')
    .description('The team dashboard API: a mock for front-end work, and the production server.')
    .version(packageVersion())
    .configureOutput({ writeOut: writeData, writeErr: writeMessage })
    .exitOverride()
    .addHelpText('after', examples('npx dashboard-api dev', 'npx dashboard-api help serve'))
  for (const add of [dev, serve, config, database, seed, session, waitlist, init, openapi, verify]) add(program)
  for (const command of commandsOf(program)) {
    command.showHelpAfterError(`hint: "npx ${pathOf(command)} --help" shows what it takes.`)
  }
  return program
}

const commandsOf = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsOf)]

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
