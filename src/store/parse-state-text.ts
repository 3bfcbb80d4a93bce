import { JsonTextError, parseJsonText } from './parse-json-text.js'
import { parseState, type State, StateError } from './state-file.js'

/**
 * Parses and validates the text of a state file.
 * @throws StateError with the line, column, path and reason of each fault, at most 100
 */
export async function parseStateText(text: string): Promise<State> {
  try {
    return parseState(await parseJsonText(text))
  } catch (error) {
    if (error instanceof JsonTextError) throw new StateError([error.fault])
    if (!(error instanceof StateError)) throw error
    // Loaded only for a text with faults.
    const { locateFaults } = await import('./locate-faults.js')
    throw locateFaults(text, error)
  }
}
