import { type OperationName, operationNames } from '../../contract/operations.js'
import { ControlError } from './control-error.js'
import { type Outcome, outcomeNamed, outcomesOf } from './outcomes.js'

/** Scenarios of the interface itself, each of some operations. */
export const namedScenarios = {
  empty: {
    does: 'No projects, in the list and in the session bundle.',
    operations: ['listProjects', 'getSession'],
  },
  'duplicate-names': {
    does: 'The race of section 4.1: creating a project whose name is taken succeeds.',
    operations: ['createProject'],
  },
} as const satisfies Record<string, { does: string; operations: OperationName[] }>

export type ScenarioName = keyof typeof namedScenarios

/** An outcome that is forced on an operation, or a named scenario; until cleared, or for so many `times`. */
export type Scenario = {
  /** How often it happens before it ends by itself. */
  times?: number
  /** The persona that it is limited to. */
  session?: string
} & ({ target: OperationName; outcome: Outcome } | { target: ScenarioName; outcome?: undefined })

export type Scenarios = {
  list(): Scenario[]
  /**
   * Adds a scenario, or replaces the one of the same target and persona.
   * @throws ControlError with what is possible, where the target or its outcome is not
   */
  set(scenario: Scenario): void
  /** Ends all, or those of one target. @throws ControlError for a target that cannot be */
  clear(target?: string): void
  /** The scenario that a call meets: a forced outcome before a named one, the persona's own before anybody's. */
  find(operation: OperationName, session: string | undefined): Scenario | undefined
  /** Counts one time of a scenario down; false where it has ended meanwhile. */
  consume(scenario: Scenario): boolean
}

const scenarioNames = Object.keys(namedScenarios) as ScenarioName[]
const targets: readonly string[] = [...operationNames, ...scenarioNames]

/** Everything that `set` takes. */
export const possibleScenarios = () => ({
  operations: Object.fromEntries(operationNames.map((name) => [name, outcomesOf(name)])) as Record<
    OperationName,
    Outcome[]
  >,
  named: Object.fromEntries(scenarioNames.map((name) => [name, namedScenarios[name].does])) as Record<
    ScenarioName,
    string
  >,
})

/** @param onChange told of each change, counting down included */
export function createScenarios(onChange: () => void): Scenarios {
  let all: Scenario[] = []
  const same = (a: Scenario, b: Scenario) => a.target === b.target && a.session === b.session

  return {
    list: () => all.map((scenario) => ({ ...scenario })),
    set(scenario) {
      const checked = check(scenario)
      all = [...all.filter((other) => !same(other, checked)), checked]
      onChange()
    },
    clear(target) {
      if (target !== undefined) checkTarget(target)
      all = target === undefined ? [] : all.filter((scenario) => scenario.target !== target)
      onChange()
    },
    find(operation, session) {
      const meant = all.filter(
        (scenario) =>
          (scenario.session === undefined || scenario.session === session) &&
          (scenario.outcome ? scenario.target === operation : isOf(scenario.target, operation)),
      )
      const rank = ({ outcome, session }: Scenario) => (outcome ? 0 : 2) + (session ? 0 : 1)
      return meant.sort((a, b) => rank(a) - rank(b))[0]
    },
    consume(scenario) {
      if (!all.includes(scenario)) return false
      if (scenario.times !== undefined) {
        scenario.times -= 1
        all = all.filter(({ times }) => times !== 0)
        onChange()
      }
      return true
    },
  }
}

const isOf = (target: string, operation: OperationName): boolean =>
  (namedScenarios[target as ScenarioName].operations as readonly string[]).includes(operation)

const checkTarget = (target: string) => {
  if (!targets.includes(target)) throw new ControlError(`There is no scenario of "${target}".`, targets)
}

/** A copy of what was asked for, once it is certain to be possible. */
function check({ target, outcome, times, session }: Scenario): Scenario {
  checkTarget(target)
  if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
    throw new ControlError(`times is ${times}, and has to be a whole number from 1.`)
  }
  const limits = { ...(times !== undefined && { times }), ...(session !== undefined && { session }) }
  if (scenarioNames.includes(target as ScenarioName)) {
    if (outcome === undefined) return { target: target as ScenarioName, ...limits }
    throw new ControlError(`The scenario "${target}" takes no outcome.`)
  }
  const operation = target as OperationName
  return { target: operation, outcome: outcomeNamed(operation, outcome ?? 'no outcome'), ...limits }
}
