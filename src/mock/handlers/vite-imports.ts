import { readFileSync } from 'node:fs'
import { jsonFault } from './json-fault.js'
import type { Place } from './read-handlers.js'

/** The used parts of the context of a plugin. */
export type TransformContext = {
  resolve(id: string, importer: string): Promise<{ id: string } | null>
  parse(code: string): unknown
}

/** An import declaration; `file` is what Vite finds, if it finds anything. */
export type ImportOf = { id: string; start: number; end: number; importer: string; file: string | undefined }

type Program = { body: { source?: { value: string; start: number; end: number } | null }[] }

/** Finds the import declarations of a module. */
export async function findImports(
  context: TransformContext,
  code: string,
  importer: string,
): Promise<ImportOf[]> {
  const sources = (context.parse(code) as Program).body.flatMap(({ source }) => source ?? [])
  return Promise.all(
    sources.map(async ({ value, start, end }) => {
      const found = await context.resolve(value, importer)
      return { id: value, start, end, importer, file: found?.id }
    }),
  )
}

/** Imports by the file of the module. */
export type Imports = ReadonlyMap<string, readonly ImportOf[]>

/** The first import below a file that makes it fail: of a missing file, or of a JSON file with a fault. */
export function locateFault(imports: Imports, file: string, seen = new Set<string>()): Place | undefined {
  seen.add(file)
  for (const { id, importer, file: found } of imports.get(file) ?? []) {
    if (found === undefined) return { file: importer, line: lineOf(id, importer) }
    const line = found.endsWith('.json') ? jsonFault(readFileSync(found, 'utf8'))?.line : undefined
    const place = line === undefined ? undefined : { file: found, line }
    const below = seen.has(found) ? undefined : locateFault(imports, found, seen)
    if (place ?? below) return place ?? below
  }
}

/** The line of the first string that names an import. */
function lineOf(id: string, importer: string): number {
  const lines = readFileSync(importer, 'utf8').split('\n')
  return lines.findIndex((line) => [`'${id}'`, `"${id}"`].some((text) => line.includes(text))) + 1
}
