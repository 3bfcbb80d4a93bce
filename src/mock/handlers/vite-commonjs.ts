import { createRequire } from 'node:module'
import { types } from 'node:util'
import type { ImportOf } from './vite-imports.js'

// Node does not see all names that a CommonJS module exports. In a page, where Vite bundles packages, an import finds each. Here,
// the import of such a package leads to a module that exports each name.

const prefix = '\0dashboard-api:commonjs:'

/** @returns the code, whose imports of CommonJS packages lead to modules of `loadCommonJs` */
export const exposeCommonJs = (code: string, imports: readonly ImportOf[]): string =>
  imports
    .filter(({ id, file }) => !/^[./\0]/.test(id) && file !== undefined && commonJsOf(file))
    // From the last one, so that the positions of the others stay.
    .toReversed()
    .reduce(
      (text, { start, end, file }) => text.slice(0, start) + JSON.stringify(prefix + file) + text.slice(end),
      code,
    )

export const isCommonJs = (id: string): boolean => id.startsWith(prefix)

/** The text of the module that exports each name of a CommonJS module. */
export function loadCommonJs(id: string): string {
  const file = id.slice(prefix.length)
  const names = Object.keys(commonJsOf(file) ?? {}).filter((name) => name !== 'default')
  return [
    "import { createRequire } from 'node:module'",
    `const all = createRequire(${JSON.stringify(file)})(${JSON.stringify(file)})`,
    'export default all',
    ...names.map((name, i) => `const name${i} = all[${JSON.stringify(name)}]`),
    ...names.map((name, i) => `export { name${i} as ${JSON.stringify(name)} }`),
  ].join('\n')
}

/** The exports of a CommonJS module. If it fails, so do the handlers, by the error of the package. */
function commonJsOf(file: string): object | undefined {
  if (!/\/node_modules\/.*\.c?js$/.test(file)) return
  try {
    const exported: unknown = createRequire(file)(file)
    return types.isModuleNamespaceObject(exported) ? undefined : Object(exported)
  } catch {
    return
  }
}
