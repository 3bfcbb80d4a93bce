import type { RecordChange } from '../../store/memory/record-changes.js'
import type { Timeline } from './timeline.js'

/** The persona of `session=active` after a state was loaded, and a warning if the state lacks the earlier one. */
export type LoadedState = { active?: string; warning?: string }

/** The parts of a mock whose changes do not depend on each other. */
export type PartName = 'data' | 'forced' | 'timing' | 'clock' | 'persona' | 'log'

/** A part of the mock as a value: a change replaces it, and `set` brings an earlier one back. */
export type Part<Value> = {
  name: PartName
  get(): Value
  set(value: Value): LoadedState | undefined
  /** By default values are compared by identity. */
  isSame?(a: Value, b: Value): boolean
}

/** What made a step: a control with its input, or a request, which may have used a forced outcome. */
export type Cause =
  | { control: string; input?: unknown; facts?: Record<string, unknown> }
  | { request: string; used?: object; aborted?: boolean }

/** How a step changed a part. */
export type PartChange = {
  part: PartName
  /** The values before and after, if the part is a value. */
  from?: unknown
  to?: unknown
  isSame?(a: unknown, b: unknown): boolean
  back(): unknown
  again(): unknown
}

/** A change of the mock that can be undone. */
export type Step = {
  id: number
  time: string
  cause: Cause
  /** The id of the step's request in the log, once it has one. */
  entry?: number
  /** The last request in the log before the step. */
  since: number
  /** The changed records. */
  changes: readonly RecordChange[]
  parts: readonly PartChange[]
  /** For a step back to an earlier request: the last request before the step, and the requests that it undid. */
  rewound?: { last: number; undone: EntryRange[] }
}

/** A range of requests by their ids in the log. */
export type EntryRange = [from: number, to: number]

/** The steps of a mock, of every part and by every interface. */
export type History = ReturnType<typeof createHistory>

/** The end of a change that follows another one of its part. */
const pick = (change: PartChange | undefined) => change && { to: change.to, again: change.again }

/** The most steps that are stored. */
const maxSteps = 1_000

export function createHistory(timeline: Timeline) {
  const parts: Part<unknown>[] = []
  let undoable: Step[] = []
  /** The step that is redone first comes last. */
  let redoable: Step[] = []
  let lastId = 0
  let lastEntry = () => 0

  const namesOf = (steps: readonly Step[]) =>
    new Set(steps.flatMap((step) => step.parts.map(({ part }) => part)))
  const touches = (step: Step, names: ReadonlySet<PartName>) => step.parts.some(({ part }) => names.has(part))

  /** Steps that were undone can no longer be redone if their parts have changed since. */
  const forgetUndone = (step: Step) => {
    const changed = namesOf([step])
    redoable = redoable
      .toReversed()
      .filter((other) => {
        if (!touches(other, changed)) return true
        for (const name of namesOf([other])) changed.add(name)
        return false
      })
      .toReversed()
  }
  const add = (cause: Cause, changed: readonly PartChange[], changes: readonly RecordChange[] = []): Step => {
    lastId += 1
    const time = new Date().toISOString()
    const step: Step = { id: lastId, time, cause, since: lastEntry(), changes, parts: changed }
    undoable.push(step)
    if (undoable.length > maxSteps) undoable.shift()
    forgetUndone(step)
    return step
  }
  /** Joins a step with the one before it, if both are of one request. @returns undefined if both make no difference */
  const join = (earlier: Step, { id, parts, changes, cause }: Step): Step | undefined => {
    undoable.pop()
    const next = new Map(parts.map((changed) => [changed.part, changed]))
    const both = earlier.parts
      .map((changed) => ({ ...changed, ...pick(next.get(changed.part)) }))
      .filter(({ from, to, isSame }) => !isSame?.(from, to))
    for (const { part } of earlier.parts) next.delete(part)
    const all = [...both, ...next.values()]
    if (all.length === 0) undoable.pop()
    Object.assign(earlier, {
      id,
      cause: { ...earlier.cause, ...cause },
      parts: all,
      changes: [...earlier.changes, ...changes],
    })
    return all.length > 0 ? earlier : undefined
  }

  /**
   * Makes a change and records it, in one turn, as a step of the parts that it changed.
   * @param earlier the last step of the same request
   * @param others changes of the step that were made already
   * @returns the step; undefined if the change made no difference
   */
  function record<Result>(
    cause: Cause,
    change: () => Result,
    earlier?: Step,
    others: readonly PartChange[] = [],
  ): { result: Result; step: Step | undefined } {
    const before = parts.map((part) => part.get())
    const position = timeline.position()
    const result = change()
    const changed: PartChange[] = parts.flatMap((part, i) => {
      const [old, now] = [before[i], part.get()]
      if (part.isSame ? part.isSame(old, now) : old === now) return []
      const isSame = part.isSame ?? Object.is
      return [
        {
          ...{ part: part.name, from: old, to: now, isSame },
          back: () => part.set(old),
          again: () => part.set(now),
        },
      ]
    })
    changed.push(...others)
    if (changed.length === 0) return { result, step: undefined }
    const moments = timeline.since(position)
    const added = add(
      cause,
      changed,
      moments.flatMap(({ changes }) => changes),
    )
    const step = earlier && undoable.at(-2) === earlier ? join(earlier, added) : added
    for (const moment of moments) moment.step = step
    return { result, step }
  }

  const list = { undo: () => undoable, redo: () => redoable }
  /** Takes a step from one list to the other; by default the last one. */
  const move = async (way: 'undo' | 'redo', id?: number): Promise<{ step: Step; loaded: LoadedState }> => {
    const from = list[way]()
    const step = (id === undefined ? from.at(-1) : from.find((each) => each.id === id)) as Step
    from.splice(from.indexOf(step), 1)
    // All parts go in one turn. A folder of snapshots follows.
    // The personas of the records precede the one that is active.
    const done = step.parts.map(({ back, again }) => (way === 'undo' ? back() : again()))
    ;(way === 'undo' ? redoable : undoable).push(step)
    return { step, loaded: Object.assign({}, ...(await Promise.all(done))) }
  }

  return {
    /** Adds a part. */
    watch<Value>(part: Part<Value>) {
      parts.push(part as Part<unknown>)
    },
    /** Has the number of the last request for new steps. */
    follow(last: () => number) {
      lastEntry = last
    },
    record,
    add,
    /** Undoes or redoes a step that `find` has found. */
    move,
    /**
     * Finds the step to undo or redo, by default the last one.
     * @returns the step, and the later steps of the same parts, which have to go first; undefined if there is none
     */
    find(way: 'undo' | 'redo', id?: number): { step: Step; later: Step[] } | undefined {
      const steps = list[way]()
      const index = id === undefined ? steps.length - 1 : steps.findIndex((each) => each.id === id)
      const step = steps[index]
      if (!step) return undefined
      return { step, later: steps.slice(index + 1).filter((other) => touches(other, namesOf([step]))) }
    },
    /** All steps in the order of time, and whether each is undone. */
    steps: (): { step: Step; isUndone: boolean }[] =>
      [
        ...undoable.map((step) => ({ step, isUndone: false })),
        ...redoable.map((step) => ({ step, isUndone: true })),
      ].sort((a, b) => a.step.id - b.step.id),
    /**
     * Marks a step as one back to an earlier request.
     * @param id the request before or after which the state is now
     * @param last the last request before the step
     */
    markRewound(step: Step, id: number, after: boolean, last: number) {
      const others = undoable.filter((other) => other !== step)
      const earlier = others.findLast(({ rewound }) => rewound && rewound.last < id)?.rewound?.undone ?? []
      const moment = after ? id : id - 1
      step.rewound = { last, undone: moment < last ? [...earlier, [moment + 1, last]] : earlier }
    },
    /** The requests whose changes are undone now. */
    undone(): EntryRange[] {
      const rewound = undoable.findLast((step) => step.rewound)?.rewound?.undone ?? []
      return [...rewound, ...redoable.flatMap(({ entry }): EntryRange[] => (entry ? [[entry, entry]] : []))]
    },
    clear() {
      timeline.clear()
      undoable = []
      redoable = []
    },
  }
}
