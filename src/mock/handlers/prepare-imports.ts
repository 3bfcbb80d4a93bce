import { readFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { extname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HandlersError } from './handlers-error.js'
import { jsonFault } from './json-fault.js'

/** The extensions of the files that are loaded. */
export const extensions = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx', '.json']

export const isInPackage = (file: string): boolean => /[\\/]node_modules[\\/]/.test(file)

/** Whether a file is an ES module, which may await. */
export const isModule = (file: string, text: string): boolean =>
  /^\.m[jt]s$/.test(extname(file)) ||
  (!/^\.c[jt]s$/.test(extname(file)) && /^\s*(import|export)\b/m.test(text))

type Importer = {
  file: string
  /** The folder that messages begin at. */
  folder: string
  /** Resolves an import to a URL as it will be loaded; undefined for a missing module. */
  resolve(id: string): string | undefined
  /** The paths that an import may stand for, by the `paths` of a tsconfig.json. */
  pathsOf(id: string): string[]
  /** Gets the texts of imported JSON files. */
  texts: Map<string, string>
}

/** The used parts of Babel's types. */
type Node = { type: string; name?: string; value?: unknown; loc?: { start: { line: number } } }
type Path<Parts = unknown> = { node: Node & Parts; replaceWith(node: unknown): void }
type Declaration = Path<{ source: Node | null }>
type Call = Path<{ callee: Node; arguments: Node[] }>
type Member = Path<{ object: Node; property: Node }>
type Babel = { template: { expression: { ast(code: string): unknown } } }

const needsVite = (what: string) => `${what} needs Vite. Its plugin dashboard-api/vite loads such handlers.`

/**
 * Creates a plugin of Babel that prepares the imports of one file: it resolves the `paths` of a tsconfig.json, has JSON files read
 * again, and refuses what only Vite can load. Declarations are refused before the file is evaluated, calls when they are reached.
 */
export function prepareImports({ file, folder, resolve, pathsOf, texts }: Importer) {
  let refused: HandlersError | undefined
  const placed = (name: string, line: number | undefined, text: string) =>
    `${relative(folder, name)}:${line}: ${text}`

  /** @returns why it is refused */
  const prepare = (source: Node, isRequired = false): string | undefined => {
    const id = String(source.value)
    if (isBuiltin(id) || URL.canParse(id)) return
    const url = [...pathsOf(id), id].map(resolve).find(Boolean)
    const found = url && fileURLToPath(url)
    const isLoadable = found === undefined || [...extensions, '.node', ''].includes(extname(found))
    if (!isLoadable || id.includes('?')) {
      return needsVite(`the import of '${id}'`)
    }
    if (found === undefined || isInPackage(found)) return
    source.value = found
    if (extname(found) === '.json') return prepareJson(found)
    // An ES module may await, which a module that is required cannot, unless all of its importers are required too.
    if (!isRequired || ![file, found].every((name) => isModule(name, readFileSync(name, 'utf8')))) return
    return `'${id}' is an ES module: import it instead of requiring it.`
  }

  const prepareJson = (found: string): string | undefined => {
    const text = readFileSync(found, 'utf8')
    texts.set(found, text)
    delete createRequire(file).cache[found]
    const fault = jsonFault(text)
    return fault && placed(found, fault.line, fault.reason)
  }

  const plugin = ({ template: { expression } }: Babel) => {
    const error = (text: string) => `new Error(${JSON.stringify(text)})`
    const failing = (text: string) => expression.ast(`(() => { throw ${error(text)} })()`)
    const declaration = ({ node }: Declaration) => {
      const fault = node.source && prepare(node.source)
      if (fault) refused ??= new HandlersError(placed(file, node.source?.loc?.start.line, fault))
    }
    return {
      visitor: {
        ImportDeclaration: declaration,
        ExportNamedDeclaration: declaration,
        ExportAllDeclaration: declaration,
        CallExpression(path: Call) {
          const { callee } = path.node
          const [source] = path.node.arguments
          const isImport = callee.type === 'Import'
          if (source?.type !== 'StringLiteral' || !(isImport || callee.name === 'require')) return
          const fault = prepare(source, !isImport)
          if (fault)
            path.replaceWith(isImport ? expression.ast(`Promise.reject(${error(fault)})`) : failing(fault))
        },
        MemberExpression(path: Member) {
          const { object, property } = path.node
          if (object.type !== 'MetaProperty') return
          if (property.name === 'glob') path.replaceWith(failing(needsVite('import.meta.glob')))
          // They are undefined in Node. jiti knows only what Node has.
          if (property.name === 'hot' || property.name === 'vitest')
            path.replaceWith(expression.ast('undefined'))
        },
      },
    }
  }
  return {
    plugin,
    /** @throws HandlersError if a declaration is refused */
    check() {
      if (refused) throw refused
    },
  }
}
