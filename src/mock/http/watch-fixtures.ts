import { readFile } from 'node:fs/promises'
import { coalesce } from '../../store/coalesce.js'
import { parseStateText } from '../../store/parse-state-text.js'
import type { State } from '../../store/state-file.js'
import { watchFiles } from '../handlers/watch-files.js'

/**
 * Reloads a state file whenever its content changes.
 * @param onState called with each valid state; its errors go to `onError`
 * @param onError called if the file cannot be used
 * @returns a function that stops watching, once the watcher is ready
 */
export async function watchFixtures(
  file: string,
  onState: (state: State) => void | Promise<void>,
  onError: (error: Error) => void,
): Promise<() => void> {
  const read = () => readFile(file, 'utf8').catch(() => '')
  let text = await read()
  const reload = coalesce(async () => {
    const current = await read()
    // While an editor saves, the file may be missing or empty.
    if (current === '' || current === text) return
    text = current
    try {
      await onState(await parseStateText(current))
    } catch (error) {
      onError(error as Error)
    }
  })
  return watchFiles([file], () => void reload())
}
