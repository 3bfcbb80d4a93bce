import { CommanderError } from 'commander'
import { exitCodeOf, ignoreHangupWithoutTerminal } from '../store/end-by-signal.js'
import { exitOnOutputErrors, printError } from './output/output.js'
import { commandFromArgv, createProgram } from './program.js'
import { UserError } from './user-error.js'
import { versionText } from './version-text.js'

/**
 * Runs a command line and sets the exit code: 0, 2 for a user's mistake, 1 for a failure.
 * @param argv as Node passes it, with the executable and the script first
 */
export async function main(argv: string[] = process.argv): Promise<void> {
  ignoreHangupWithoutTerminal()
  if (process.pid === 1) endAsFirstProcess()
  exitOnOutputErrors()
  try {
    if (argv[2] === 'complete') {
      const [program, { completeWords }] = await Promise.all([
        createProgram(commandFromArgv(argv)),
        import('./complete-words.js'),
      ])
      return await completeWords(program, argv.slice(4))
    }
    const asksVersion = argv.some((word) => word === '--version' || word === '-V')
    const version = asksVersion ? versionText() : undefined
    const program = await createProgram(commandFromArgv(argv), version)
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = await report(error)
  }
}

/**
 * Ends the first process of a container on a signal, unless another listener does: the system delivers to it no signal without
 * a listener.
 */
function endAsFirstProcess(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(exitCodeOf(signal))
    })
  }
}

/** Prints an error, with a stack only if it is a bug, and returns the exit code. */
async function report(error: unknown): Promise<number> {
  // Commander has printed the message; it also throws for --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const explained =
    error instanceof UserError ? error : (await import('./explain-error.js')).explainError(error)
  if (explained) {
    printError(`error: ${explained.message}`)
    if (explained.hint) printError(`hint: ${explained.hint}`)
    return explained.exitCode
  }
  printError(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 1
}
