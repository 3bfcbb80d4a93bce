import { readFile } from 'node:fs/promises'
import { coalesce } from '../../store/coalesce.js'
import { parseStateText } from '../../store/parse-state-text.js'
import { replaceFile } from '../../store/replace-file.js'
import type { State } from '../../store/state-file.js'
import { stateText } from './state-text.js'

/**
 * Reads the state saved by an earlier run. Returns undefined if the file does not exist yet.
 * @throws StateError listing each fault; the file stays as it is
 */
export async function readPersisted(file: string): Promise<State | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseStateText(text)
}

/**
 * Returns a function that saves the state to a file. It resolves once the state of its call, or a later one, is on
 * disk: calls during a write share the next one.
 */
export const persistTo = (file: string, exportState: () => Promise<State>): (() => Promise<void>) =>
  coalesce(async () => replaceFile(file, [stateText(await exportState())]))
