import { dirname, relative, resolve } from 'node:path'
import { coalesce } from '../../store/coalesce.js'
import type { GivenHandlers } from '../engine/user-handlers.js'
import { loadModule } from './load-module.js'
import { type OnReload, type OpenedHandlers, readHandlers } from './read-handlers.js'
import { goneError, readWatched, watchFiles } from './watch-files.js'

/**
 * Loads the MSW handlers that a JavaScript or TypeScript module exports. Reloads them when the file, or an import outside
 * node_modules, changes or is back. Reports one that is gone.
 * @throws HandlersError
 */
export async function openHandlersFile(path: string, onReload: OnReload = () => {}): Promise<OpenedHandlers> {
  const file = resolve(path)
  let unwatch = () => {}
  let isClosed = false
  /** The loaded texts by file; undefined for a file that is gone. */
  let texts: Texts = new Map()
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
    const changed = await changedSince(texts)
    if (isClosed) return
    const gone = changed.filter(([, text]) => text === undefined)
    if (gone.length < changed.length) await load().then(() => onReload(), onReload)
    else for (const [name] of gone) onGone(name)
    // Files that were saved meanwhile are loaded next.
    if (changed.length > 0) void reload()
  })
  const onGone = (name: string) => {
    texts.set(name, undefined)
    onReload(goneError(relative(dirname(file), name)))
  }
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

type Texts = Map<string, string | undefined>

/** The files with another text, or that are gone. An empty file is being saved. */
async function changedSince(texts: Texts): Promise<[name: string, text: string | undefined][]> {
  const current = [...texts.keys()].map(
    async (name) => [name, await readWatched(name)] as [string, string | undefined],
  )
  return (await Promise.all(current)).filter(([name, now]) => now !== '' && now !== texts.get(name))
}
