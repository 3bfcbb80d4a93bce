import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { coalesce } from '../../store/coalesce.js'
import type { GivenHandlers } from '../engine/user-handlers.js'
import { loadModule } from './load-module.js'
import { type OnReload, type OpenedHandlers, readHandlers } from './read-handlers.js'
import { watchFiles } from './watch-files.js'

/**
 * Loads the MSW handlers that a JavaScript or TypeScript module exports. Reloads them when the file, or an import outside
 * node_modules, changes.
 * @throws HandlersError
 */
export async function openHandlersFile(path: string, onReload: OnReload = () => {}): Promise<OpenedHandlers> {
  const file = resolve(path)
  let unwatch = () => {}
  let isClosed = false
  /** The loaded texts by file. */
  let texts = new Map<string, string>()
  let handlers: GivenHandlers = []

  const load = async () => {
    const loaded = new Map([[file, '']])
    try {
      handlers = await readHandlers(file, () => loadModule(file, loaded), loaded.keys())
      texts = loaded
    } catch (error) {
      // The last version of files that were not reached.
      texts = new Map([...texts, ...loaded])
      throw error
    } finally {
      unwatch()
      if (!isClosed) unwatch = watchFiles([...texts.keys()], () => void reload())
    }
  }

  const reload: () => Promise<void> = coalesce(async () => {
    if (isClosed || !(await hasChanged(texts))) return
    await load().then(() => onReload(), onReload)
    // Files that were saved meanwhile are loaded next.
    void reload()
  })
  const close = () => {
    isClosed = true
    unwatch()
  }

  await load().catch((error) => {
    close()
    throw error
  })
  void reload()
  return { handlers: () => handlers, close }
}

/** Whether a file has another text. A missing or empty file is being saved. */
async function hasChanged(texts: ReadonlyMap<string, string>): Promise<boolean> {
  const current = await Promise.all(
    [...texts].map(async ([name, text]) => [text, await readFile(name, 'utf8').catch(() => '')] as const),
  )
  return current.some(([before, now]) => now !== '' && now !== before)
}
