import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The source files at a path in the project: a file, or all files of a folder. */
export const sourcesAt = (path: string): string[] =>
  /\.tsx?$/.test(path)
    ? [path]
    : readdirSync(join(root, path), { withFileTypes: true })
        .filter(({ name }) => name !== 'node_modules')
        .flatMap((entry) => {
          const name = join(path, entry.name)
          return entry.isDirectory() || /\.tsx?$/.test(name) ? sourcesAt(name) : []
        })

export const sourceText = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Removes comments and the contents of strings from source text, so that only names are left. */
export const withoutText = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g, '')

/** The imports of a file, including types: files of the project by path, other modules by name. */
export const importsOf = (file: string): string[] =>
  [...sourceText(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^'\s]+)'/g)].map(([, name = '']) =>
    name.startsWith('.') ? sourceFile(relative(root, resolve(root, dirname(file), name))) : name,
  )

/** The source file of an imported `.js` file. */
const sourceFile = (path: string): string =>
  ['.ts', '.tsx']
    .map((extension) => path.replace(/\.js$/, extension))
    .find((name) => existsSync(join(root, name))) ?? path

/**
 * All files and packages that these files import, directly or indirectly, including the files themselves.
 * @param follows whether the imports of a file are followed; by default those of all source files are
 */
export function reachableFrom(
  files: readonly string[],
  follows: (file: string) => boolean = () => true,
): Set<string> {
  const reached = new Set<string>()
  const pending = [...files]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    if (/\.tsx?$/.test(file) && follows(file)) pending.push(...importsOf(file))
  }
  return reached
}
