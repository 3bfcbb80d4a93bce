import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Makes stack traces name the source files of the bundle. Node's --enable-source-maps reads every source map at
 * start, which takes up to 40 ms; here a map is read only when a stack trace needs it.
 */
export function mapStacks(): void {
  Error.prepareStackTrace = (error, frames) =>
    [
      Error.prototype.toString.call(error),
      ...frames.map((frame) => `    at ${sourceOf(String(frame))}`),
    ].join('\n')
}

const sourceOf = (frame: string): string =>
  frame.replace(/(file:.+?):(\d+):(\d+)/, (position, url, line, column) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column))
    return origin && 'fileName' in origin
      ? `${new URL(origin.fileName, url)}:${origin.lineNumber}:${origin.columnNumber}`
      : position
  })

const maps = new Map<string, SourceMap | undefined>()

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(fileURLToPath(url)))
  return maps.get(url)
}

/** The build puts the maps of all files of a folder into one. */
function readMap(path: string): SourceMap | undefined {
  const file = join(dirname(path), 'maps.json')
  const payload = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8'))[basename(path)] : undefined
  return payload && new SourceMap(payload)
}
