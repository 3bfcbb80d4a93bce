import { readFile } from 'node:fs/promises'
import { parseStateText, type State, StateError } from '../../store/state-file.js'
import { UserError } from '../user-error.js'

/**
 * Reads a state file (fixture, seed or snapshot).
 * @throws UserError where it cannot be read, or with the path and the reason of every fault in it
 */
export async function readStateFile(file: string): Promise<State> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(
      `The state file ${file} cannot be read: ${readReason(error)}.`,
      'Give the path of a state file, e.g. fixtures/demo.json of this package.',
    )
  })
  try {
    return parseStateText(text)
  } catch (error) {
    throw asFileRefusal(file, error)
  }
}

/** A `StateError` in the words of its file; any other error as it is. */
export function asFileRefusal(file: string, error: unknown): unknown {
  if (!(error instanceof StateError)) return error
  const faults = error.message.replace(/^/gm, '  ')
  return new UserError(
    `The state file ${file} was refused; nothing was loaded.\n${faults}`,
    'Correct every line above, then run the command again.',
  )
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

const readReason = (error: NodeJS.ErrnoException): string => reasons[error.code ?? ''] ?? error.message
