import { type OperationName, operationNames } from '../../contract/operations.js'
import { ControlError } from './control-error.js'
import type { Random } from './random.js'

/** How long answers wait: `300`, or between two bounds, `200-800`; in milliseconds. */
export type Delay = { all: string; operations: Partial<Record<OperationName, string>> }

export type Delays = {
  get(): Delay
  /**
   * Sets the delay of every operation, or of one. `null` takes back what was set.
   * @throws ControlError for what is no range within a minute, or no operation
   */
  set(ms: string | number | null, operation?: OperationName): void
  /** Back to the delay of the beginning. */
  reset(): void
  /** How long this answer shall wait, in milliseconds. */
  draw(operation: OperationName | undefined): number
}

const longest = 60_000

export function createDelays(random: Random, first: string | number = 0): Delays {
  const operations = new Map<OperationName, Range>()
  let all = toRange(first)
  return {
    get: () => ({
      all: toText(all),
      operations: Object.fromEntries([...operations].map(([name, range]) => [name, toText(range)])),
    }),
    set(ms, operation) {
      if (operation !== undefined && !operationNames.includes(operation)) {
        throw new ControlError(`There is no operation "${operation}".`, operationNames)
      }
      if (operation === undefined) all = toRange(ms ?? 0)
      else if (ms === null) operations.delete(operation)
      else operations.set(operation, toRange(ms))
    },
    reset() {
      all = toRange(first)
      operations.clear()
    },
    draw: (operation) => random.between(...((operation && operations.get(operation)) ?? all)),
  }
}

type Range = [from: number, to: number]

const toText = ([from, to]: Range) => (from === to ? String(from) : `${from}-${to}`)

function toRange(ms: string | number): Range {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(String(ms)) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (from <= to && to <= longest) return [from, to]
  throw new ControlError(`"${ms}" is no delay: give milliseconds up to ${longest}, as 300 or 200-800.`)
}

/** What tells that a client has left: an AbortSignal, or what does the same for less. */
export type AbortSignalLike = {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Waits, or until the client has given up; true where it has. */
export const abortableDelay = (ms: number, signal: AbortSignalLike): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(true)
    if (ms === 0) return resolve(false)
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve(signal.aborted)
    }
    // Without end, only the client's giving up ends it.
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
