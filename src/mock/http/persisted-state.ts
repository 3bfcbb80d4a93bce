import { readFile, stat } from 'node:fs/promises'
import { coalesce } from '../../store/coalesce.js'
import { parseStateText } from '../../store/parse-state-text.js'
import { replaceFile } from '../../store/replace-file.js'
import type { State } from '../../store/state-file.js'
import { stateText } from './state-text.js'

/**
 * Reads the state saved by an earlier run. Returns undefined if the file does not exist yet.
 * @throws StateError with each fault, and leaves the file unchanged; EISDIR for a path that is no file: some devices have no
 *   end
 */
export async function readPersisted(file: string): Promise<State | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (found && !found.isFile()) throw Object.assign(new Error(`${file} is not a file.`), { code: 'EISDIR' })
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : parseStateText(text)
}

/**
 * Returns a function that saves the state to a file. It resolves once this or a later state is on the disk: calls during a
 * write share the next one.
 * @param onConflict called once, if the file has another modification time, or is another file, than after the last read or write
 */
export function persistTo(
  file: string,
  exportState: () => Promise<State>,
  onConflict: () => void,
): () => Promise<void> {
  let known = versionOf(file)
  let isReported = false
  return coalesce(async () => {
    const text = stateText(await exportState())
    const [last, present] = [await known, await versionOf(file)]
    if (last && present && last !== present && !isReported) {
      isReported = true
      onConflict()
    }
    await replaceFile(file, [text])
    known = versionOf(file)
  })
}

/** Identifies a write of a file, if the file exists. */
const versionOf = (file: string): Promise<string | undefined> =>
  stat(file).then(
    ({ ino, mtimeMs }) => `${ino} ${mtimeMs}`,
    () => undefined,
  )
