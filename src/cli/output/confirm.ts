import { createInterface } from 'node:readline'
import { Failure, UserError } from '../user-error.js'

/**
 * Asks on a terminal before something is done that cannot be undone.
 * @param what what is about to be done, as a sentence
 * @param yes the reader has agreed already, by `--yes`
 * @throws Failure where the answer is no; UserError where there is nobody to ask
 */
export async function confirm(what: string, yes = false): Promise<void> {
  if (yes) return
  if (!(process.stdin.isTTY && process.stderr.isTTY)) {
    throw new UserError(
      what,
      'Nothing was changed. There is no terminal to ask on: add --yes to agree to it.',
    )
  }
  const answer = await ask(`${what} Go on? [y/N] `)
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was changed.')
}

/** One line of the reader's; nothing where the input ends. */
function ask(question: string): Promise<string> {
  // Not as a terminal of its own: Ctrl+C stays the signal that it is.
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise((resolve) => {
    reader.once('close', () => resolve(''))
    reader.question(question, (answer) => {
      resolve(answer)
      reader.close()
    })
  })
}
