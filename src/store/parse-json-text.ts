import type { StateFault } from './state-file.js'

/** A text is not JSON. The message has the line and the column. */
export class JsonTextError extends Error {
  override name = 'JsonTextError'
  readonly fault: StateFault

  constructor(fault: StateFault) {
    const { position, reason } = fault
    super(position ? `line ${position.line}, column ${position.column}: ${reason}` : reason)
    this.fault = fault
  }
}

/**
 * Parses the text of a file, which may begin with a byte order mark.
 * @throws JsonTextError with the first fault
 */
export async function parseJsonText(text: string): Promise<unknown> {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    // Loaded only for a text with faults.
    const { syntaxFault } = await import('./locate-faults.js')
    throw new JsonTextError(
      syntaxFault(json) ?? { path: '', reason: `not JSON: ${(error as Error).message}` },
    )
  }
}
