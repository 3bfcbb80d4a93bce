import { coalesce } from '../../store/coalesce.js'
import type { GivenHandlers } from '../engine/user-handlers.js'
import { HandlersError } from './handlers-error.js'
import { type OnReload, type OpenedHandlers, readHandlers } from './read-handlers.js'
import { exposeCommonJs } from './vite-commonjs.js'
import { findImports, type ImportOf, locateFault, type TransformContext } from './vite-imports.js'

/** The used parts of Vite's types. */
type Module = object
type Environment = {
  moduleGraph: {
    fileToModulesMap: ReadonlyMap<string, unknown>
    getModulesByFile(file: string): ReadonlySet<Module> | undefined
    invalidateModule(module: Module): void
  }
  runner?: { import(file: string): Promise<unknown>; clearCache(): void }
}
export type HandlersServer = {
  config: { server: { hmr?: unknown } }
  environments?: Record<string, Environment>
  watcher: { on(event: 'change', listener: (file: string) => void): unknown }
}

/** An environment for handlers alone, so that options for the server code of an application do not apply to them. */
export const handlersEnvironment = 'dashboardApi'

/** The options of that environment: it resolves packages as Node does, which then loads them. */
export const environmentOptions = {
  consumer: 'server' as const,
  resolve: { mainFields: [], conditions: ['node', 'development|production'] },
}

export type ViteHandlers = ReturnType<typeof createViteHandlers>

/**
 * Has Vite load a file of handlers, with its configuration: plugins, aliases, environment variables.
 * @returns `open`, as `openHandlersFile`; `transform` and `update` for the modules of the environment
 */
export function createViteHandlers(server: HandlersServer) {
  let reload = async () => {}
  let timer: NodeJS.Timeout | undefined
  /** The imports of each module. */
  const imports = new Map<string, ImportOf[]>()
  const environment = server.environments?.[handlersEnvironment]
  const update = (modules: Iterable<Module>) => {
    const changed = [...modules]
    if (changed.length === 0) return
    for (const module of changed) environment?.moduleGraph.invalidateModule(module)
    clearTimeout(timer)
    // An editor may empty a file before it writes it.
    timer = setTimeout(() => void reload(), 50)
  }
  // Without HMR, Vite reports no modules.
  if (server.config.server.hmr === false) {
    server.watcher.on('change', (file) => update(environment?.moduleGraph.getModulesByFile(file) ?? []))
  }

  async function transform(context: TransformContext, code: string, id: string): Promise<string> {
    const found = await findImports(context, code, id)
    imports.set(id, found)
    return exposeCommonJs(code, found)
  }

  async function open(file: string, onReload: OnReload): Promise<OpenedHandlers> {
    if (!server.environments) throw new HandlersError('Vite 6 or later is needed to load handlers')
    const named = `environment "${handlersEnvironment}"`
    if (!environment) throw new HandlersError(`Vite has no ${named}: look for a plugin that removes it`)
    if (!environment.runner)
      throw new HandlersError(`the ${named} of Vite cannot run modules: look for a plugin that replaces it`)
    const { runner, moduleGraph } = environment
    const locate = () => locateFault(imports, file)
    const load = () =>
      readHandlers(file, () => runner.import(file), moduleGraph.fileToModulesMap.keys(), locate)
    let handlers: GivenHandlers = await load()
    reload = coalesce(async () => {
      runner.clearCache()
      await load().then((loaded) => {
        handlers = loaded
        onReload()
      }, onReload)
    })
    return {
      handlers: () => handlers,
      close() {
        clearTimeout(timer)
        reload = async () => {}
      },
    }
  }
  return { open, transform, update }
}
