import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createPathsMatcher, findTsconfig, parseTsconfig } from 'get-tsconfig'

/** Reads the `paths` of the tsconfig.json above each importer, and of the projects that it references. */
export function createPathsReader(): (id: string, importer: string) => string[] {
  const matchers = new Map<string, ((id: string) => string[])[]>()
  return (id, importer) => {
    const file = findTsconfig(dirname(importer))
    if (file === undefined) return []
    if (!matchers.has(file)) matchers.set(file, matchersOf(file))
    return matchers.get(file)?.flatMap((match) => match(id)) ?? []
  }
}

function matchersOf(file: string): ((id: string) => string[])[] {
  try {
    const config = parseTsconfig(file)
    const referenced = (config.references ?? [])
      .map(({ path }) => resolve(dirname(file), path))
      .map((path) => (existsSync(path) && statSync(path).isDirectory() ? join(path, 'tsconfig.json') : path))
    const match = config.compilerOptions?.paths && createPathsMatcher({ path: file, config })
    return [...(match ? [match] : []), ...referenced.flatMap(matchersOf)]
  } catch {
    // It may extend a file that does not exist yet. An import that needs it then fails by its own name.
    return []
  }
}
