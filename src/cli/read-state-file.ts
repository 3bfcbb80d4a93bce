import { readFile } from 'node:fs/promises'
import { shellQuote } from '../pages/shell-quote.js'
import { parseJsonText } from '../store/parse-json-text.js'
import { parseStateText } from '../store/parse-state-text.js'
import { type State, StateError } from '../store/state-file.js'
import { readInput } from './files.js'
import { UserError } from './user-error.js'

/**
 * Reads a state file (fixture, seed or snapshot).
 * @throws UserError if it cannot be read, or with the position, the path and the reason of every fault in it
 */
export async function readStateFile(file: string): Promise<State> {
  const bytes = await readInput(file, {
    name: `The state file ${file}`,
    hint: 'Give the path of a state file, e.g. fixtures/demo.json of this package.',
    // The text of a larger one would not fit into a string.
    maxBytes: 512 * 1024 * 1024,
  })
  let text: string | undefined
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return await parseStateText(text)
  } catch (error) {
    if (text !== undefined && error instanceof StateError && (await isDbText(text))) {
      const hint = `If it is a db.json of json-server: npx dashboard-api state import ${shellQuote(file)}`
      throw await stateFailure(file, error, hint)
    }
    // Invalid UTF-8 would be read as other text.
    const isText = (error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA'
    throw await stateFailure(file, isText ? error : new StateError([{ path: '', reason: 'not in UTF-8' }]))
  }
}

async function isDbText(text: string): Promise<boolean> {
  const { isDb } = await import('./json-server/read-db.js')
  try {
    return isDb(await parseJsonText(text))
  } catch {
    return false
  }
}

/** Names the file in a `StateError`, and the lines of its faults; returns any other error unchanged. */
export async function stateFailure(
  file: string,
  error: unknown,
  hint = 'Correct every line above, then run the command again.',
): Promise<unknown> {
  if (!(error instanceof StateError)) return error
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const { locateFaults } = await import('../store/locate-faults.js')
  const { message } = text === undefined ? error : locateFaults(text, error)
  const faults = message.replace(/^/gm, '  ')
  return new UserError(`The state file ${file} was refused; nothing was loaded.\n${faults}`, hint)
}
