/** A frame of a stack: the last part of its path, and its line. Frames of packages and of Node are left out. */
const frame = /([^/\\\s()@?]+?)(?:\?[^:\s]*)?:(\d+):\d+\)?$/

/** An error that a handler threw, with its file and line if its stack has them: `Error: no invoice (handlers.ts:12)`. */
export function thrownText(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const own = stack
    .split('\n')
    .slice(1)
    .find((line) => frame.test(line) && !/node_modules|node:|\/dist\//.test(line))
  const [, file, line] = frame.exec(own ?? '') ?? []
  return file === undefined ? `${error}` : `${error} (${file}:${line})`
}
