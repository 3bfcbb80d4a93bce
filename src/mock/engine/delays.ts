import { shown } from '../../contract/shown.js'
import { ControlError } from '../state/control-error.js'
import type { Part } from '../state/history.js'
import type { Random } from '../state/random.js'
import type { ByTarget, TargetName } from './target-name.js'
import type { Targets } from './targets.js'

/** The delay of responses in milliseconds: `300`, or a range, `200-800`. */
export type Delay = { all: string; operations: ByTarget<string> }

const maxMs = 60_000

export function createDelays(random: Random, targets: Targets, initial: string | number = 0) {
  const first = { all: parseRange(initial), single: new Map<TargetName, Range>() }
  /** Each change replaces it. */
  let value = first
  const get = (): Delay => ({
    all: formatRange(value.all),
    operations: Object.fromEntries([...value.single].map(([target, range]) => [target, formatRange(range)])),
  })
  const replace = (next: typeof first) => {
    const isSame = String([next.all, ...next.single]) === String([value.all, ...value.single])
    if (!isSame) value = next
  }
  const part: Part<typeof first> = {
    name: 'timing',
    get: () => value,
    set(earlier) {
      value = earlier
      return undefined
    },
  }
  return {
    part,
    get,
    /** The value of the part for delays of a file. @throws ControlError as `set` does */
    read({ all, operations }: { all: string; operations: Record<string, string> }): typeof first {
      const single = Object.entries(operations).map(([target, ms]): [TargetName, Range] => {
        targets.check(target)
        return [target as TargetName, parseRange(ms)]
      })
      return { all: parseRange(all), single: new Map(single) }
    },
    /**
     * Sets the delay of all operations and handlers, or of one. `null` removes it; of all, with those of single ones.
     * @throws ControlError for an invalid delay, or one of more than a minute, or an unknown target
     */
    set(ms: string | number | null, target?: TargetName) {
      const single = new Map(value.single)
      const range = ms === null ? undefined : parseRange(ms)
      let { all } = value
      if (target === undefined) {
        all = range ?? [0, 0]
        if (!range) single.clear()
      } else if (range) {
        targets.check(target)
        single.set(target, range)
      } else if (!single.delete(target)) targets.check(target)
      replace({ all, single })
    },
    reset: () => replace(first),
    /** Whether requests to a target are delayed. */
    has: (target: TargetName) => (value.single.get(target) ?? value.all)[1] > 0,
    /** Draws the delay of a response, in milliseconds. */
    draw: (target: TargetName) => random.between(...(value.single.get(target) ?? value.all)),
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
  throw new ControlError(
    `${shown(ms)} is not a delay: give milliseconds up to ${maxMs}, e.g. 300 or 200-800.`,
  )
}

export type Waits = ReturnType<typeof createWaits>

export function createWaits() {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let closing = new AbortController()
  return {
    /** Aborted when the mock is closed. A mock that listens again has another one. */
    closed: () => closing.signal,
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
    /** Lets the process end although requests are waiting, and ends the waits for requests. */
    release() {
      closing.abort()
      closing = new AbortController()
      for (const timer of timers) (timer as { unref?(): void }).unref?.()
    },
  }
}

/** Waits until the client gives up. */
export const hang = (waits: Waits, signal: AbortSignal) => waits.delay(Number.POSITIVE_INFINITY, signal)
