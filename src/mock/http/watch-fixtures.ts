import { basename } from 'node:path'
import { coalesce } from '../../store/coalesce.js'
import { parseStateText } from '../../store/parse-state-text.js'
import type { State } from '../../store/state-file.js'
import { goneError, readWatched, watchFiles } from '../handlers/watch-files.js'

/**
 * Reloads a state file whenever its content changes, and when it is back.
 * @param onState called with each valid state; its errors go to `onError`
 * @param onError called if the file cannot be used, or is gone
 * @returns a function that stops watching, once the watcher is ready
 */
export async function watchFixtures(
  file: string,
  onState: (state: State) => void | Promise<void>,
  onError: (error: Error) => void,
): Promise<() => void> {
  let text = await readWatched(file)
  const reload = coalesce(async () => {
    const current = await readWatched(file)
    // While an editor saves, the file may be empty.
    if (current === '' || current === text) return
    text = current
    try {
      if (current === undefined) throw goneError(basename(file))
      await onState(await parseStateText(current))
    } catch (error) {
      onError(error as Error)
    }
  })
  return watchFiles([file], () => void reload())
}
