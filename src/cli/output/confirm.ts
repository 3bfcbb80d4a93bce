import { createInterface } from 'node:readline'
import { Failure, UserError } from '../user-error.js'
import { printable } from './printable.js'

/**
 * Asks for confirmation of an action that cannot be undone.
 * @param action the consequence, as a sentence
 * @param yes true if `--yes` was given
 * @throws Failure if the answer is no; UserError without a terminal
 */
export async function confirm(action: string, yes = false): Promise<void> {
  if (yes) return
  if (!(process.stdin.isTTY && process.stderr.isTTY)) {
    throw new UserError(action, 'Nothing was changed. Without a terminal, add --yes to confirm.')
  }
  const answer = await ask(printable(`${action} Continue? [y/N] `))
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.')
}

/** Reads one line; empty at the end of the input. */
function ask(question: string): Promise<string> {
  // With `terminal: false`, Ctrl+C still raises SIGINT.
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise((resolve) => {
    reader.once('close', () => resolve(''))
    reader.question(question, (answer) => {
      resolve(answer)
      reader.close()
    })
  })
}
