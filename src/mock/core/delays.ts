import { type OperationName, operationNames } from '../../contract/operations.js'
import { ControlError } from './control-error.js'
import type { Random } from './random.js'

/** The delay of responses in milliseconds: `300`, or a range, `200-800`. */
export type Delay = { all: string; operations: Partial<Record<OperationName, string>> }

export type Delays = {
  get(): Delay
  /**
   * Sets the delay of all operations or of one. `null` removes it.
   * @throws ControlError for a value that is not a delay of up to a minute, or an unknown operation
   */
  set(ms: string | number | null, operation?: OperationName): void
  /** Restores the initial delay. */
  reset(): void
  /** Draws the delay of one response, in milliseconds. */
  draw(operation: OperationName | undefined): number
}

const maxMs = 60_000

export function createDelays(random: Random, initial: string | number = 0): Delays {
  const operations = new Map<OperationName, Range>()
  let all = parseRange(initial)
  return {
    get: () => ({
      all: formatRange(all),
      operations: Object.fromEntries([...operations].map(([name, range]) => [name, formatRange(range)])),
    }),
    set(ms, operation) {
      if (operation !== undefined && !operationNames.includes(operation)) {
        throw new ControlError(`There is no operation "${operation}".`, operationNames)
      }
      if (operation === undefined) all = parseRange(ms ?? 0)
      else if (ms === null) operations.delete(operation)
      else operations.set(operation, parseRange(ms))
    },
    reset() {
      all = parseRange(initial)
      operations.clear()
    },
    draw: (operation) => drawDelay((operation && operations.get(operation)) ?? all, random),
  }
}

/** The bounds of a delay in milliseconds, both included. */
export type Range = [min: number, max: number]

export const drawDelay = ([min, max]: Range, random: Random): number => random.between(min, max)

export const formatRange = ([min, max]: Range) => (min === max ? String(min) : `${min}-${max}`)

/** @throws ControlError for a value that is not a delay of up to a minute */
export function parseRange(ms: string | number): Range {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(String(ms)) ?? []
  const [min, max] = [Number(first), Number(last)]
  if (min <= max && max <= maxMs) return [min, max]
  throw new ControlError(`"${ms}" is not a delay: give milliseconds up to ${maxMs}, e.g. 300 or 200-800.`)
}

/** Waits for the time or until the signal is aborted. Resolves to whether it was aborted. */
export const abortableDelay = (ms: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve(true)
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve(signal.aborted)
    }
    // setTimeout cannot wait forever: only the abort ends an infinite delay.
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(finish, ms)
    signal.addEventListener('abort', finish)
  })
