/**
 * Removes the chunks that only pass on what another chunk exports. The bundler makes one for each module that is imported
 * dynamically and lies in a chunk with others. An import of it becomes one of the other chunk, with the names of the module.
 */
export function inlineFacades(chunks) {
  const facades = new Map(chunks.flatMap((chunk) => (chunk.isEntry ? [] : facadeOf(chunk))))
  return chunks
    .filter(({ fileName }) => !facades.has(fileName))
    .map((chunk) => ({
      ...chunk,
      code: chunk.code.replace(/\bimport\("\.\/([^"]+)"\)/g, (all, fileName) => facades.get(fileName) ?? all),
    }))
}

/** The name of a chunk that only passes on, and what an import of it becomes. */
function facadeOf({ fileName, code }) {
  const [, exported, from] = /^export \{ ([^}]+) \} from "(\.\/[^"]+)";\s*$/.exec(code) ?? []
  if (from === undefined) return []
  const names = exported.split(', ').map((each) => {
    const [name, given = name] = each.split(' as ')
    return `${given}: chunk.${name}`
  })
  return [[fileName, `import("${from}").then((chunk) => ({ ${names.join(', ')} }))`]]
}
