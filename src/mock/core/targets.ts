import { operationNames, operations } from '../../contract/operations.js'
import { ControlError } from './control-error.js'
import { type Outcome, outcomesOf } from './outcomes.js'
import type { TargetPlace } from './target-name.js'

export type Target = TargetPlace & {
  /** How many requests the log has counted since the start, or since it was cleared. */
  hits: number
  /** The latest of them. */
  last?: LastRequest
  /** What can be forced. Targets other than operations take any status from 200 to 599. */
  outcomes: Outcome[]
}

type LastRequest = { entry: number; status: number; time: string }

/** What scenarios, delay and chaos are set for. */
export type Targets = {
  /** Operations, handlers in their order, then what nobody answered. */
  list(): Target[]
  /** Replaces the handlers of one's own. Several may have one name. */
  setHandlers(places: readonly TargetPlace[]): void
  count(place: TargetPlace, last: LastRequest): void
  /** The operation or the handler with this name, or what was requested and nobody answered. */
  find(target: string): TargetPlace | undefined
  /** @throws ControlError that lists the targets, if this is none of them */
  check(target: string): void
  /** Forgets the requests, and with them what nobody answered. */
  clear(): void
}

/** The most paths that no handler answers: a page may request any number of them. */
const maxUnanswered = 200

const ofContract = operationNames.map((name): TargetPlace => {
  const { method, path } = operations[name]
  return { target: name, kind: 'operation', method, path: path.replaceAll(/\{(\w+)\}/g, ':$1') }
})

export function createTargets(): Targets {
  let handlers = new Map<string, TargetPlace>()
  const unanswered = new Map<string, TargetPlace>()
  const counts = new Map<string, { hits: number; last: LastRequest }>()

  const operation = (target: string) => ofContract.find((place) => place.target === target)
  const find = (target: string) => operation(target) ?? handlers.get(target) ?? unanswered.get(target)
  const all = () => [...ofContract, ...handlers.values(), ...unanswered.values()]

  return {
    list: () =>
      all().map((place) => ({
        ...place,
        hits: 0,
        ...counts.get(place.target),
        outcomes: outcomesOf(place.target),
      })),
    setHandlers(places) {
      handlers = new Map(places.map((place) => [place.target, place]))
      for (const target of handlers.keys()) unanswered.delete(target)
    },
    count(place, last) {
      const { target, kind } = place
      if (kind === 'unanswered') unanswered.set(target, place)
      const [first] = unanswered.keys()
      if (first !== undefined && unanswered.size > maxUnanswered) {
        unanswered.delete(first)
        counts.delete(first)
      }
      counts.set(target, { hits: (counts.get(target)?.hits ?? 0) + 1, last })
    },
    find,
    check(target) {
      if (find(target)) return
      throw new ControlError(
        `There is no target "${target}".`,
        all().map((place) => place.target),
      )
    },
    clear() {
      unanswered.clear()
      counts.clear()
    },
  }
}
