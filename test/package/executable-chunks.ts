import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../dist/executable/', import.meta.url)

/** The files that the executable is bundled into. */
export const chunks = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.js'))

export const chunkText = (chunk: string): string => readFileSync(new URL(chunk, folder), 'utf8')

/** The files that a chunk is made of, as its map says: of this project, or of packages. */
export function sourcesOf(chunk: string): string[] {
  // One that only hands on what another has needs no map.
  if (!existsSync(new URL(`${chunk}.map`, folder))) return []
  const { sources } = JSON.parse(chunkText(`${chunk}.map`)) as { sources: string[] }
  return sources.map((source) => source.replace(/^(\.\.\/)+/, ''))
}

/** The chunk that a file of the project went into. */
export function chunkOf(source: string): string {
  const chunk = chunks().find((name) => sourcesOf(name).includes(source))
  if (chunk === undefined) throw new Error(`No chunk has ${source}: run "npm run build"`)
  return chunk
}

/** The chunks that a process loaded, of those that `cli-imports-hook.js` told. */
export const chunksIn = (told: string): string[] =>
  [...told.matchAll(new RegExp(`^import (${folder.href}.+\\.js)$`, 'gm'))].map(([, url = '']) =>
    fileURLToPath(url).slice(fileURLToPath(folder).length),
  )
