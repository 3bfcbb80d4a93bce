import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createJiti, type JitiOptions, type ModuleCache } from 'jiti'
import { extensions, isInPackage, isModule, prepareImports } from './prepare-imports.js'
import { createPathsReader } from './tsconfig-paths.js'

/**
 * Evaluates the current version of a JavaScript or TypeScript module, with its imports outside node_modules, of either module
 * system. Packages stay modules of Node, so that each is loaded once.
 * @param texts gets the text of each file that is read, also if the module then fails
 * @throws the error of the module; HandlersError for an import that only Vite can load
 */
export async function loadModule(file: string, texts: Map<string, string>): Promise<unknown> {
  const pathsOf = createPathsReader()
  const options: JitiOptions = {
    extensions: [...extensions],
    fsCache: false,
    moduleCache: false,
    tryNative: false,
    jsx: { runtime: 'automatic' },
  }
  const compiler = createJiti(file, options)
  const jiti = createJiti(file, {
    ...options,
    transform(given) {
      const { filename = file } = given
      if (isInPackage(filename)) return { code: compiler.transform(given) }
      const { esmResolve } = createJiti(filename, options)
      const { plugin, check } = prepareImports({
        file: filename,
        folder: dirname(file),
        resolve: (id) => esmResolve(id, { try: true }),
        pathsOf: (id) => pathsOf(id, filename),
        texts,
      })
      const code = compiler.transform({ ...given, babel: { ...given.babel, plugins: [plugin] } })
      check()
      return { code }
    },
  })

  const loaded: ModuleCache = {}
  // jiti leaves most JavaScript to Node, which keeps a module once it has loaded it. jiti looks into its cache first: there, it
  // finds files outside packages as modules whose exports are evaluated when they are read, by jiti.
  const cacheOf = (evaluate: (name: string) => unknown): ModuleCache =>
    new Proxy(loaded, {
      get(modules, name: string) {
        if (modules[name] || isInPackage(name)) return modules[name]
        return {
          get exports() {
            return evaluate(name)
          },
        }
      },
    })
  const evaluate = (name: string, isImported: boolean): unknown => {
    const source = readFileSync(name, 'utf8')
    texts.set(name, source)
    const async = isImported && isModule(name, source)
    return jiti.evalModule(source, {
      filename: name,
      async,
      forceTranspile: true,
      cache: async ? imported : required,
    })
  }
  const imported = cacheOf((name) => evaluate(name, true))
  const required = cacheOf((name) => evaluate(name, false))
  return evaluate(file, true)
}
