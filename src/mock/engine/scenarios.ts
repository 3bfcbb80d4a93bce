import { type OperationName, operationNames } from '../../contract/operations.js'
import { shown } from '../../contract/shown.js'
import { ControlError } from '../state/control-error.js'
import type { Part } from '../state/history.js'
import { defaultTimes } from '../state/limit-words.js'
import { customAdvice } from './custom-advice.js'
import { type CustomResponse, validateResponse } from './custom-response.js'
import {
  type HandlerOutcome,
  type OperationOutcome,
  type OutcomeOf,
  outcomeNamed,
  outcomesOf,
} from './outcomes.js'
import type { HandlerTarget, TargetName } from './target-name.js'
import type { Targets } from './targets.js'

/** Named scenarios, which change the data that some operations see. */
const namedScenarios = {
  empty: {
    description: 'No projects, in the list and in the session bundle.',
    operations: ['listProjects', 'getSession'],
  },
  'duplicate-names': {
    description: 'Creating a project with a name that is taken succeeds, as in a race of two requests.',
    operations: ['createProject'],
  },
} as const satisfies Record<string, { description: string; operations: OperationName[] }>

export type ScenarioName = keyof typeof namedScenarios

/** A forced outcome or a custom response of a target, or a named scenario. It ends when cleared, or after `times` uses. */
export type Scenario = Limits & { times?: number } & Forced

/**
 * A scenario to set. `times` is the number of uses, after which it ends by itself; with null it lasts until it is cleared. By
 * default a forced outcome or response is for the next request alone, and a named scenario lasts.
 */
export type ScenarioSetting = Limits & { times?: number | null } & Forced

type Limits = {
  /** The persona that it applies to; by default every caller. */
  session?: string
}

type Forced =
  | ForcedOutcome
  | { target: HandlerTarget; outcome: HandlerOutcome; response?: undefined }
  | { target: TargetName; outcome?: undefined; response: CustomResponse }
  | { target: ScenarioName; outcome?: undefined; response?: undefined }

type ForcedOutcome = {
  [Name in OperationName]: { target: Name; outcome: OutcomeOf<Name>; response?: undefined }
}[OperationName]

/** A scenario in the list, with the number of its requests that clients aborted: they used nothing up. */
export type ListedScenario = Scenario & { aborted?: number }

export type Scenarios = ReturnType<typeof createScenarios>

const scenarioNames = Object.keys(namedScenarios) as ScenarioName[]

/** The outcomes of each operation, and the named scenarios. */
export const possibleScenarios = () => ({
  operations: Object.fromEntries(operationNames.map((name) => [name, outcomesOf(name)])) as Record<
    OperationName,
    OperationOutcome[]
  >,
  named: Object.fromEntries(scenarioNames.map((name) => [name, namedScenarios[name].description])) as Record<
    ScenarioName,
    string
  >,
})

/** @param onChange called after each use of a scenario with `times` */
export function createScenarios(targets: Targets, onChange: () => void) {
  /** Each change replaces it, and a scenario that is used, by one with fewer uses left. */
  let all: readonly Scenario[] = []
  /** The scenario as it was set, of one that has been used. */
  const origins = new WeakMap<Scenario, Scenario>()
  const originOf = (scenario: Scenario) => origins.get(scenario) ?? scenario
  /** The numbers of aborted requests, by the scenarios as they were set. */
  const aborted = new WeakMap<Scenario, number>()
  const abortedOf = (scenario: Scenario) => {
    const count = aborted.get(originOf(scenario))
    return count === undefined ? {} : { aborted: count }
  }
  /** Uses that can still be given back, with their places in the list. */
  const inFlight = new Map<Scenario, number>()
  const hasSameKey = (a: Scenario, b: Scenario) => a.target === b.target && a.session === b.session
  const check = (target: string, advice?: string) => {
    if (isNamed(target) || all.some((scenario) => scenario.target === target)) return
    const isPath = target.includes(' ')
    targets.check(target, isPath ? 'target' : 'target or scenario', isPath ? [] : scenarioNames, advice)
  }

  const part: Part<readonly Scenario[]> = {
    name: 'forced',
    get: () => all,
    set(earlier) {
      all = earlier
      inFlight.clear()
      for (const { target, response } of all) if (response) targets.add(target)
      return undefined
    },
    isSame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  }

  /** @returns the scenario with its outcome by its name. @throws ControlError if it is invalid */
  const checked = (given: ScenarioSetting): Scenario => {
    const scenario = { ...given, target: targets.resolve(given.target) } as ScenarioSetting
    // A response for a path without a handler makes one.
    if (scenario.response === undefined || !isRequest.test(scenario.target))
      check(scenario.target, isRequest.test(scenario.target) ? onceRequested : undefined)
    return validate(scenario)
  }

  return {
    part,
    checked,
    // A copy, which callers may change.
    list: (): ListedScenario[] =>
      JSON.parse(JSON.stringify(all.map((scenario) => ({ ...scenario, ...abortedOf(scenario) })))),
    /** Adds a scenario that was checked, or replaces the one with the same target and persona. */
    set(valid: Scenario) {
      all = [...all.filter((other) => !hasSameKey(other, valid)), valid]
      if (valid.response) targets.add(valid.target)
    },
    /** Ends all scenarios, or those of one target. @throws ControlError for an unknown target */
    clear(target?: string) {
      if (target !== undefined) check(target)
      all = target === undefined ? [] : all.filter((scenario) => scenario.target !== target)
      inFlight.clear()
    },
    /** Whether a scenario of a target ends by its uses. */
    isLimited: (target: TargetName) =>
      all.some(
        (scenario) =>
          scenario.times !== undefined &&
          (isForced(scenario) ? scenario.target === target : appliesTo(scenario.target, target)),
      ),
    isForced: (target: TargetName) =>
      all.some((scenario) => scenario.target === target && isForced(scenario)),
    forced: () => all.flatMap((scenario) => (isForced(scenario) ? [scenario.target as TargetName] : [])),
    /**
     * Finds the scenario of a request. Forced outcomes precede named scenarios, then those of one persona precede those of
     * every caller.
     */
    find(target: TargetName, session: string | undefined) {
      const matching = all.filter(
        (scenario) =>
          (scenario.session === undefined || scenario.session === session) &&
          (isForced(scenario) ? scenario.target === target : appliesTo(scenario.target, target)),
      )
      const rank = (scenario: Scenario) => (isForced(scenario) ? 0 : 2) + (scenario.session ? 0 : 1)
      return matching.sort((a, b) => rank(a) - rank(b))[0]
    },
    /**
     * Uses a scenario once, until `giveBack` or `confirm`.
     * @returns it with the uses that are left, and the aborted requests; undefined if it has ended meanwhile
     */
    consume(scenario: Scenario): ListedScenario | undefined {
      const current = all.find((each) => originOf(each) === originOf(scenario))
      if (current?.times === undefined) return current
      const left = { ...current, times: current.times - 1 }
      const used = { ...left, ...abortedOf(current) }
      for (const each of [left, used]) origins.set(each, originOf(current))
      inFlight.set(used, all.indexOf(current))
      all = all.flatMap((each) => (each !== current ? [each] : left.times > 0 ? [left] : []))
      onChange()
      return used
    },
    /** Ends a use: its response was taken. */
    confirm: (used: Scenario) => inFlight.delete(used),
    /** Ends a use whose request was aborted. The scenario has it again, unless scenarios were cleared or undone meanwhile. */
    giveBack(used: Scenario): void {
      const place = inFlight.get(used)
      if (place === undefined) return
      inFlight.delete(used)
      const origin = originOf(used)
      const current = all.find((each) => originOf(each) === origin)
      if (!current && all.some((each) => hasSameKey(each, used))) return
      const restored = { ...origin, times: (current?.times ?? 0) + 1 }
      origins.set(restored, origin)
      all = current
        ? all.map((each) => (each === current ? restored : each))
        : all.toSpliced(place, 0, restored)
      onChange()
    },
    /** Counts a request that was aborted before it used a scenario, or that gave its use back. */
    countAborted(scenario: Scenario): void {
      if (scenario.times === undefined) return
      const origin = originOf(scenario)
      aborted.set(origin, (aborted.get(origin) ?? 0) + 1)
      onChange()
    },
  }
}

/** A method with a path or a URL, without a query: a custom response answers every query. */
const isRequest = /^[A-Z]+ (\/|https?:\/\/)[^\s?#]*$/

const onceRequested =
  'A path without a handler takes an outcome once it was requested, and a custom response at any time.'

const isForced = ({ outcome, response }: Scenario): boolean => outcome !== undefined || response !== undefined

const isNamed = (target: string): target is ScenarioName => Object.hasOwn(namedScenarios, target)

const appliesTo = (name: string, target: string): boolean =>
  (namedScenarios[name as ScenarioName].operations as readonly string[]).includes(target)

function validate({ target, outcome, response, times, session }: ScenarioSetting): Scenario {
  if (times != null && !(Number.isInteger(times) && times > 0)) {
    throw new ControlError(`times is ${shown(times)}; it must be a whole number of at least 1, or null.`)
  }
  const uses = times === undefined && !isNamed(target) ? defaultTimes : times
  const options = { ...(uses != null && { times: uses }), ...(session !== undefined && { session }) }
  if (isNamed(target)) {
    if (outcome === undefined && response === undefined) return { target, ...options }
    throw new ControlError(`The scenario "${target}" takes no outcome.`)
  }
  if (response === undefined) {
    // The type of any target cannot express that the outcome is the target's.
    return {
      target,
      outcome: outcomeNamed(target, outcome ?? 'no outcome', customAdvice(outcome)),
      ...options,
    } as Scenario
  }
  if (outcome === undefined) return { target, response: validateResponse(target, response), ...options }
  throw new ControlError('A scenario has an outcome or a response, not both.')
}
