import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { parseStateText, type State } from '../../store/state-file.js'

/**
 * Reads a state file anew each time that its content changes. The folder is watched, for many editors save by
 * renaming another file over it.
 * @param onState told of each valid state; what it throws is reported as what is wrong with the file
 * @param onError told of a file that cannot be used
 * @returns the function that ends it, once every further change will be seen
 */
export async function watchFixtures(
  file: string,
  onState: (state: State) => void | Promise<void>,
  onError: (error: Error) => void,
): Promise<() => void> {
  let text = Promise.resolve(await readFile(file, 'utf8').catch(() => undefined))
  let timer: NodeJS.Timeout | undefined

  const look = async (before: string | undefined): Promise<string | undefined> => {
    const now = await readFile(file, 'utf8').catch(() => undefined)
    // An editor that renames has it away for a moment; one that writes, empty.
    if (!now || now === before) return before
    try {
      await onState(parseStateText(now))
    } catch (error) {
      onError(error as Error)
    }
    return now
  }

  const watcher = watch(dirname(file), (_, name) => {
    if (name !== null && name !== basename(file)) return
    clearTimeout(timer)
    // One save is several events.
    timer = setTimeout(() => {
      text = text.then(look)
    }, 50)
  })
  watcher.on('error', onError)
  return () => {
    clearTimeout(timer)
    watcher.close()
  }
}
