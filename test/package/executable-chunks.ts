import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../dist/executable/', import.meta.url)

/** The files of the bundled executable. */
export const chunks = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.js'))

export const chunkText = (chunk: string): string => readFileSync(new URL(chunk, folder), 'utf8')

/** The files in a chunk, of this project and of packages, from the comments of the bundler. */
export const sourcesOf = (chunk: string): string[] =>
  [...chunkText(chunk).matchAll(/^\/\/(?:#region)? ((?:src|node_modules)\/.+)$/gm)].map(
    ([, source = '']) => source,
  )

/** The chunk that contains a file of the project. */
export function chunkOf(source: string): string {
  const chunk = chunks().find((name) => sourcesOf(name).includes(source))
  if (chunk === undefined) throw new Error(`No chunk has ${source}: run "npm run build"`)
  return chunk
}

/** The chunks that a process loaded, from the output of `imports-hook.js`. */
export const chunksIn = (output: string): string[] =>
  [...output.matchAll(new RegExp(`^import (${folder.href}.+\\.js)$`, 'gm'))].map(([, url = '']) =>
    fileURLToPath(url).slice(fileURLToPath(folder).length),
  )
