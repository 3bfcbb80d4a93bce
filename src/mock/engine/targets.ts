import { route } from '../../contract/route.js'
import { shown } from '../../contract/shown.js'
import { ControlError } from '../state/control-error.js'
import { matchesPath } from './match-path.js'
import { mostSimilar } from './most-similar.js'
import { operationAt, operationTargets } from './operation-targets.js'
import { type Outcome, outcomesOf } from './outcomes.js'
import { type HandlerTarget, splitTarget, type Target, type TargetName } from './target-name.js'

export type ListedTarget = Target & {
  /** The number of logged requests since the start or the last clear. */
  hits: number
  last?: LastRequest
  /** The outcomes that can be forced. Targets other than operations take any status from 200 to 599. */
  outcomes: Outcome[]
}

type LastRequest = { entry: number; status: number; time: string }

export type Targets = ReturnType<typeof createTargets>

/** The most unanswered paths: a page may request any number of them. */
const maxUnanswered = 200

export function createTargets() {
  let handlers = new Map<string, Target>()
  const unanswered = new Map<string, Target>()
  const counts = new Map<string, { hits: number; last: LastRequest }>()

  const operation = (target: string) => operationTargets.find((place) => place.target === target)
  /** The operation or handler with this name, or the requested path without a handler. */
  const find = (target: string) => operation(target) ?? handlers.get(target) ?? unanswered.get(target)
  /** The name of the operation for its method and path, such as `POST /v1/projects`; else the name as it is. */
  const resolve = (name: string): TargetName => {
    // The call may come from JavaScript.
    if (typeof name !== 'string') throw new ControlError(`Expected the name of a target, not ${shown(name)}.`)
    return find(name) ? (name as TargetName) : (operationAt(name)?.target ?? (name as TargetName))
  }
  /** The handler or operation that a method and a path match, in which ids are values. A handler of every path is none. */
  const matching = (name: string): Target | undefined => {
    if (!isRequest.test(name)) return undefined
    const { method, path } = splitTarget(name as HandlerTarget)
    const url = path.startsWith('/') ? home + path : path
    const handler = [...handlers.values()].find(
      (place) =>
        !place.matcher &&
        place.path !== '*' &&
        ['ALL', method].includes(place.method) &&
        matchesPath(url, place.path, home),
    )
    return handler ?? operation(route(method, path).operation ?? '')
  }
  const all = () => [...operationTargets, ...handlers.values(), ...unanswered.values()]

  /**
   * @param advice said of a target that nothing matches
   * @throws ControlError for an unknown target, with the known ones, most similar first
   */
  const check = (target: string, what = 'target', others: readonly string[] = [], advice = '') => {
    if (find(target)) return
    const words = target
      .toLowerCase()
      .split(/[\s/]+/)
      .filter(Boolean)
    const likeness = (name: string) => words.filter((word) => name.toLowerCase().includes(word)).length
    const possible = [...all().map((place) => place.target), ...others]
    possible.sort((a, b) => likeness(b) - likeness(a))
    const matched = matching(target)?.target
    const similar = mostSimilar(target, possible)
    const hints = matched ? [`${matched} matches it.`] : [similar && `Did you mean ${similar}?`, advice]
    throw new ControlError([`There is no ${what} "${target}".`, ...hints].filter(Boolean).join(' '), possible)
  }

  return {
    /** Operations, handlers in their order, then paths without a handler. */
    list: (): ListedTarget[] =>
      all().map((place) => ({
        ...place,
        hits: 0,
        ...counts.get(place.target),
        outcomes: outcomesOf(place.target),
      })),
    /** Replaces the user's handlers. Several may have one name. */
    setHandlers(places: readonly Target[]) {
      handlers = new Map(places.map((place) => [place.target, place]))
      for (const target of handlers.keys()) unanswered.delete(target)
    },
    /** Counts a request. Of too many paths without a handler, the oldest that has no forced outcome is forgotten. */
    count(place: Target, last: LastRequest, isForced: (target: TargetName) => boolean) {
      const { target, kind } = place
      if (kind === 'unanswered' && !handlers.has(target)) unanswered.set(target, place)
      if (unanswered.size > maxUnanswered) {
        const oldest = [...unanswered.keys()].find((name) => !isForced(name as TargetName))
        if (oldest !== undefined) {
          unanswered.delete(oldest)
          counts.delete(oldest)
        }
      }
      counts.set(target, { hits: (counts.get(target)?.hits ?? 0) + 1, last })
    },
    find,
    resolve,
    /**
     * The target of logged requests by its name. A path without a handler may be requested later.
     * @throws ControlError for an unknown target
     */
    requested(name: string): TargetName {
      const target = resolve(name)
      if (!isRequest.test(target)) check(target)
      return target
    },
    check,
    /** Adds the path of a custom response. */
    add(target: TargetName) {
      if (!find(target)) unanswered.set(target, splitTarget(target))
    },
    /** Clears the counts, and the paths without a handler or a custom response. */
    clear(made: readonly TargetName[]) {
      for (const target of unanswered.keys())
        if (!made.includes(target as TargetName)) unanswered.delete(target)
      counts.clear()
    },
  }
}

/** A method with a path or a URL. */
const isRequest = /^[A-Z]+ (\/|https?:\/\/)/

/** The origin of paths without one, for the comparison of paths alone. */
const home = 'http://localhost'
