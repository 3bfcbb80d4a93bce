import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
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
  if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`))
  return maps.get(url)
}

const readMap = (file: string): SourceMap | undefined =>
  existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined
