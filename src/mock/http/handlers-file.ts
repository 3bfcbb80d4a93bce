import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { coalesce } from '../../store/coalesce.js'
import { areHandlers, type GivenHandlers } from '../engine/user-handlers.js'
import { runModule } from './bundle-module.js'
import { HandlersError } from './handlers-error.js'
import { watchFiles } from './watch-files.js'

/**
 * Loads the MSW handlers that a JavaScript or TypeScript module exports, as its default or as `handlers`. Reloads them when
 * the file, or an import outside node_modules, changes.
 * @param onReload called after each reload; with the error if the file cannot be used and the last handlers stay
 * @throws HandlersError
 */
export async function openHandlersFile(path: string, onReload: (error?: Error) => void = () => {}) {
  const file = resolve(path)
  let unwatch = () => {}
  let isClosed = false
  /** The loaded texts by file. */
  let texts = new Map<string, string>()
  let handlers: GivenHandlers = []

  const load = async () => {
    const loaded = new Map([[file, '']])
    // MSW's server-sent events need this class, although not over HTTP.
    const lacksEventSource = !('EventSource' in globalThis)
    if (lacksEventSource) Object.assign(globalThis, { EventSource: EventTarget })
    try {
      handlers = handlersIn(await runModule(file, loaded))
      texts = loaded
    } catch (error) {
      // The last version of files that were not reached.
      texts = new Map([...texts, ...loaded])
      throw error instanceof HandlersError ? error : new HandlersError(messageOf(error), { cause: error })
    } finally {
      if (lacksEventSource) Reflect.deleteProperty(globalThis, 'EventSource')
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
  return {
    /** The handlers of the last valid version. */
    handlers: () => handlers,
    /** Stops watching. */
    close,
  }
}

/** Whether a file has another text. A missing or empty file is being saved. */
async function hasChanged(texts: ReadonlyMap<string, string>): Promise<boolean> {
  const current = await Promise.all(
    [...texts].map(async ([name, text]) => [text, await readFile(name, 'utf8').catch(() => '')] as const),
  )
  return current.some(([before, now]) => now !== '' && now !== before)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function handlersIn(module: unknown): GivenHandlers {
  const exported = module as { default?: unknown; handlers?: unknown }
  // The exports of a CommonJS module are its default.
  const { handlers } = Object(exported.default)
  const given = [exported.handlers, exported.default, handlers].find(areHandlers)
  if (given) return given
  throw new HandlersError('it exports no list of MSW handlers, and no function that returns one')
}
