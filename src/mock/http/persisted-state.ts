import { readFile } from 'node:fs/promises'
import { replaceFile } from '../../store/replace-file.js'
import { parseStateText, type State } from '../../store/state-file.js'
import { stateText } from './state-text.js'

/**
 * The state of an earlier run; undefined where the file is not there yet.
 * @throws StateError with each fault of a wrong file, which stays as it is
 */
export async function readPersisted(file: string): Promise<State | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseStateText(text)
}

/**
 * Keeps a state in a file. The returned function settles once the state of its call, or a later one, is on the
 * disk; calls that come while the file is written share the next write.
 */
export function persistIn(file: string, exportState: () => Promise<State>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const write = async () => {
    await running.catch(() => {})
    next = undefined
    running = exportState().then((state) => replaceFile(file, [stateText(state)]))
    await running
  }
  return () => {
    next ??= write()
    return next
  }
}
