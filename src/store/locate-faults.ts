import { printParseErrorCode, visit } from 'jsonc-parser'
import { pathOf, StateError, type StateFault } from './state-file.js'

type Position = NonNullable<StateFault['position']>

/** Adds the positions in a text to faults that have none. A missing field has the position of its record. */
export function locateFaults(text: string, { faults, hasMore }: StateError): StateError {
  const wanted = new Set(faults.flatMap(({ path }) => [...withParents(path)]))
  const positions = new Map<string, Position>()
  const note = (line: number, character: number, path: string) => {
    if (wanted.has(path)) positions.set(path, toPosition(line, character))
  }
  visitAll(text, {
    onObjectBegin: (_, __, line, character, path) => note(line, character, pathOf(path())),
    onArrayBegin: (_, __, line, character, path) => note(line, character, pathOf(path())),
    onLiteralValue: (_, __, ___, line, character, path) => note(line, character, pathOf(path())),
  })
  const positionOf = (path: string) =>
    [...withParents(path)].map((parent) => positions.get(parent)).find(Boolean)
  return new StateError(
    faults.map((fault) => ({ ...fault, position: fault.position ?? positionOf(fault.path) })),
    hasMore,
  )
}

/** A path, then the paths of its parents: `teams[0].id`, `teams[0]`, `teams`, and the empty path. */
function* withParents(path: string): Generator<string> {
  for (let parent = path; parent; parent = parent.replace(/(\.|^)[^.[]*$|\[\d+\]$/, '')) yield parent
  yield ''
}

/** The first fault of a text that is not JSON. */
export function syntaxFault(text: string): StateFault | undefined {
  let fault: StateFault | undefined
  visitAll(
    text,
    {
      onError(code, _, __, line, character) {
        // `PropertyNameExpected` becomes `property name expected`.
        const words = printParseErrorCode(code)
          .replace(/\B[A-Z]/g, ' $&')
          .toLowerCase()
        fault ??= { path: '', reason: `not JSON: ${words}`, position: toPosition(line, character) }
      },
    },
    { disallowComments: true },
  )
  return fault
}

/** Visits a text up to the depth that the stack allows. Deeper faults get no position. */
function visitAll(...args: Parameters<typeof visit>): void {
  try {
    visit(...args)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

const toPosition = (line: number, character: number): Position => ({ line: line + 1, column: character + 1 })
