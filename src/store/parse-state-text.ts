import { parseState, type State, StateError } from './state-file.js'

/**
 * Checks the text of a state file.
 * @throws StateError with the line, the column, the path and the reason of each fault, of at most 100
 */
export async function parseStateText(text: string): Promise<State> {
  try {
    return parseState(JSON.parse(text))
  } catch (error) {
    // Loaded for a refused text only.
    const { locateFaults, syntaxFault } = await import('./locate-faults.js')
    if (error instanceof StateError) throw locateFaults(text, error)
    if (!(error instanceof SyntaxError)) throw error
    throw new StateError([syntaxFault(text) ?? { path: '', reason: `not JSON: ${error.message}` }])
  }
}
