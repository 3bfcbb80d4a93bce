import { ControlError } from '../state/control-error.js'
import type { Random } from '../state/random.js'
import type { ByTarget, TargetName } from './target-name.js'
import type { Targets } from './targets.js'

/** The delay of responses in milliseconds: `300`, or a range, `200-800`. */
export type Delay = { all: string; operations: ByTarget<string> }

const maxMs = 60_000

export function createDelays(random: Random, targets: Targets, initial: string | number = 0) {
  const single = new Map<TargetName, Range>()
  let all = parseRange(initial)
  return {
    get: (): Delay => ({
      all: formatRange(all),
      operations: Object.fromEntries([...single].map(([target, range]) => [target, formatRange(range)])),
    }),
    /**
     * Sets the delay of all operations and handlers, or of one. `null` removes it.
     * @throws ControlError for an invalid delay, or one of more than a minute, or an unknown target
     */
    set(ms: string | number | null, target?: TargetName) {
      if (target === undefined) all = parseRange(ms ?? 0)
      else if (ms !== null) {
        targets.check(target)
        single.set(target, parseRange(ms))
      } else if (!single.delete(target)) targets.check(target)
    },
    reset() {
      all = parseRange(initial)
      single.clear()
    },
    /** Whether requests to a target are delayed. */
    has: (target: TargetName) => (single.get(target) ?? all)[1] > 0,
    /** Draws the delay of a response, in milliseconds. */
    draw: (target: TargetName) => random.between(...(single.get(target) ?? all)),
  }
}

/** The bounds of a delay in milliseconds, both included. */
export type Range = [min: number, max: number]

export const formatRange = ([min, max]: Range) => (min === max ? String(min) : `${min}-${max}`)

function boundsOf(ms: string | number): Range | undefined {
  const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(String(ms)) ?? []
  const [min, max] = [Number(first), Number(last)]
  return min <= max && max <= maxMs ? [min, max] : undefined
}

export const isDelay = (ms: string): boolean => boundsOf(ms) !== undefined

/** @throws ControlError for an invalid delay, or one of more than a minute */
export function parseRange(ms: string | number): Range {
  const bounds = boundsOf(ms)
  if (bounds) return bounds
  throw new ControlError(`"${ms}" is not a delay: give milliseconds up to ${maxMs}, e.g. 300 or 200-800.`)
}

export type Waits = ReturnType<typeof createWaits>

export function createWaits() {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  return {
    /** Waits for a time in milliseconds, or until the signal is aborted. Resolves to whether it was aborted. */
    delay: (ms: number, signal: AbortSignal): Promise<boolean> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(true)
        const finish = () => {
          if (timer) timers.delete(timer)
          clearTimeout(timer)
          signal.removeEventListener('abort', finish)
          resolve(signal.aborted)
        }
        // setTimeout cannot wait forever: only the abort ends an infinite delay.
        const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(finish, ms)
        if (timer) timers.add(timer)
        signal.addEventListener('abort', finish)
      }),
    /** Lets the process end although requests are waiting. */
    release() {
      for (const timer of timers) (timer as { unref?(): void }).unref?.()
    },
  }
}

/** Waits until the client gives up. */
export const hang = (waits: Waits, signal: AbortSignal) => waits.delay(Number.POSITIVE_INFINITY, signal)
