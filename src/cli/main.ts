import { CommanderError } from 'commander'
import { mapStacks } from './mapped-stacks.js'
import { endQuietlyOnClosedPipe, printError } from './output/output.js'
import { commandFromArgv, createProgram } from './program.js'
import { UserError } from './user-error.js'

/**
 * Runs a command line and sets the exit code: 0, 2 for a user's mistake, 1 for a failure.
 * @param argv as Node gives it: the executable and the script come first
 */
export async function main(argv: string[] = process.argv): Promise<void> {
  mapStacks()
  endQuietlyOnClosedPipe()
  try {
    await createProgram(commandFromArgv(argv)).parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** Says what went wrong, with a stack only where it is a bug; gives the exit code. */
function report(error: unknown): number {
  // Commander has said it already; it throws for --help and --version too.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UserError) {
    printError(`error: ${error.message}`)
    if (error.hint) printError(`hint: ${error.hint}`)
    return error.exitCode
  }
  printError(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 1
}
