import { readFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { createJiti } from 'jiti'
import { coalesce } from '../../store/coalesce.js'
import { areHandlers, type GivenHandlers } from '../core/user-handlers.js'
import { HandlersError } from './handlers-error.js'
import { watchFiles } from './watch-files.js'

/** The modules of each file of handlers that was loaded: Vite restarts with a file before it has closed it. */
const modulesOf = new Map<string, readonly string[]>()

/**
 * Loads the MSW handlers that a JavaScript or TypeScript module exports, as its default or as `handlers`. Loads them
 * again when that file changes, or one that it imports outside node_modules.
 * @param onReload called after each reload; with the error if the file cannot be used and the last handlers stay
 * @throws HandlersError
 */
export async function openHandlersFile(path: string, onReload: (error?: Error) => void = () => {}) {
  const file = resolve(path)
  // It reads TypeScript on every version of Node, with the paths of the tsconfig.json beside or above the file. Its modules
  // are in the cache of Node, from which they can be removed: a file that is loaded twice is one module.
  const jiti = openJiti(file)
  let unwatch = () => {}
  let isClosed = false
  let texts = new Map<string, string>()
  let handlers: GivenHandlers = []

  /** Reads modules. A file that is missing or empty is being saved. */
  const readTexts = async (names: Iterable<string>) =>
    new Map(await Promise.all([...names].map(async (name) => [name, await readText(name)] as const)))

  const load = async () => {
    const earlier = modulesOf.get(file) ?? [file]
    // Several files may share modules.
    for (const name of [...earlier, ...[...modulesOf.values()].flat()]) delete jiti.cache[name]
    // Those of the process itself, such as a server with Vite as middleware, stay.
    const others = new Set(Object.keys(jiti.cache))
    // Read before they are loaded: what is saved meanwhile is another text.
    const before = await readTexts(earlier)
    // MSW makes no handler of server-sent events without this class, which they do not need over HTTP.
    const lacksEventSource = !('EventSource' in globalThis)
    if (lacksEventSource) Object.assign(globalThis, { EventSource: EventTarget })
    try {
      const loaded = handlersIn(await jiti.import(file))
      if (loaded === handlers) throw new HandlersError(notReloaded)
      handlers = loaded
    } catch (error) {
      throw error instanceof HandlersError ? error : new HandlersError(messageOf(error), { cause: error })
    } finally {
      if (lacksEventSource) Reflect.deleteProperty(globalThis, 'EventSource')
      const own = Object.keys(jiti.cache).filter(
        (name) => !others.has(name) && !name.includes(`${sep}node_modules${sep}`),
      )
      texts = new Map([...(await readTexts(own)), ...before])
      modulesOf.set(file, [...texts.keys()])
      unwatch()
      if (!isClosed) unwatch = watchFiles([...texts.keys()], () => void reload())
    }
  }

  const reload: () => Promise<void> = coalesce(async () => {
    const current = await readTexts(texts.keys())
    if (isClosed || ![...current].some(([name, text]) => text !== '' && text !== texts.get(name))) return
    await load().then(() => onReload(), onReload)
    // What was saved meanwhile is loaded next.
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
    /** Those of the last valid version. */
    handlers: () => handlers,
    /** Stops watching. */
    close,
  }
}

function openJiti(file: string) {
  const options = { fsCache: false, jsx: true }
  try {
    return createJiti(file, { ...options, tsconfigPaths: true })
  } catch {
    // It extends a file that was not made yet. An import that needs it fails by its own name.
    return createJiti(file, options)
  }
}

const notReloaded =
  'it was changed, but Node keeps an ES module and a .cjs file as they were loaded, and the last handlers stay. Restart the ' +
  'mock, or name the file .ts, which is reloaded'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '')

function handlersIn(module: unknown): GivenHandlers {
  const exported = module as { default?: unknown; handlers?: unknown }
  const given = [exported.handlers, exported.default].find(areHandlers)
  if (given) return given
  throw new HandlersError('it exports no list of MSW handlers, and no function that returns one')
}
