import { parseState, type State, StateError } from './state-file.js'

/**
 * Parses and validates the text of a state file.
 * @throws StateError with the line, column, path and reason of each fault, at most 100
 */
export async function parseStateText(text: string): Promise<State> {
  try {
    return parseState(JSON.parse(text))
  } catch (error) {
    // Loaded only for a text with faults.
    const { locateFaults, syntaxFault } = await import('./locate-faults.js')
    if (error instanceof StateError) throw locateFaults(text, error)
    if (!(error instanceof SyntaxError)) throw error
    throw new StateError([syntaxFault(text) ?? { path: '', reason: `not JSON: ${error.message}` }])
  }
}
