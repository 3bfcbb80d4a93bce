import { type OperationName, operationNames } from '../../contract/operations.js'
import { ControlError } from './control-error.js'
import { type Outcome, type OutcomeOf, outcomeNamed, outcomesOf } from './outcomes.js'
import { type OwnResponse, validateResponse } from './own-response.js'

/** Scenarios that change what some operations see, by name. */
const namedScenarios = {
  empty: {
    description: 'No projects, in the list and in the session bundle.',
    operations: ['listProjects', 'getSession'],
  },
  'duplicate-names': {
    description: 'The race of section 4.1: creating a project with a name that is taken succeeds.',
    operations: ['createProject'],
  },
} as const satisfies Record<string, { description: string; operations: OperationName[] }>

export type ScenarioName = keyof typeof namedScenarios

/** A forced outcome of an operation, a response of one's own, or a named scenario. It ends when cleared, or after `times` uses. */
export type Scenario = {
  /** The number of uses before it ends by itself. */
  times?: number
  /** The persona that it applies to; everybody if absent. */
  session?: string
} & (
  | ForcedOutcome
  | { target: OperationName; outcome?: undefined; response: OwnResponse }
  | { target: ScenarioName; outcome?: undefined; response?: undefined }
)

/** An operation, and an outcome that it can have. */
type ForcedOutcome = {
  [Name in OperationName]: { target: Name; outcome: OutcomeOf<Name>; response?: undefined }
}[OperationName]

export type Scenarios = {
  list(): Scenario[]
  /** Adds a scenario, or replaces the one with the same target and persona. @throws ControlError if it is not valid */
  set(scenario: Scenario): void
  /** Ends all scenarios, or those of one target. @throws ControlError for an unknown target */
  clear(target?: string): void
  /** Finds the scenario of a call. Forced outcomes precede named scenarios, then a persona's own precede everybody's. */
  find(operation: OperationName, session: string | undefined): Scenario | undefined
  /** Uses a scenario once. Returns false if it has ended meanwhile. */
  consume(scenario: Scenario): boolean
}

const scenarioNames = Object.keys(namedScenarios) as ScenarioName[]
const targets: readonly string[] = [...operationNames, ...scenarioNames]

/** Every target and outcome that `set` accepts. */
export const possibleScenarios = () => ({
  operations: Object.fromEntries(operationNames.map((name) => [name, outcomesOf(name)])) as Record<
    OperationName,
    Outcome[]
  >,
  named: Object.fromEntries(scenarioNames.map((name) => [name, namedScenarios[name].description])) as Record<
    ScenarioName,
    string
  >,
})

/** @param onChange called after each change, including each use of a scenario with `times` */
export function createScenarios(onChange: () => void): Scenarios {
  let all: Scenario[] = []
  const hasSameKey = (a: Scenario, b: Scenario) => a.target === b.target && a.session === b.session

  return {
    // Whoever gets the list may change it.
    list: () => JSON.parse(JSON.stringify(all)),
    set(scenario) {
      const valid = validate(scenario)
      all = [...all.filter((other) => !hasSameKey(other, valid)), valid]
      onChange()
    },
    clear(target) {
      if (target !== undefined) checkTarget(target)
      all = target === undefined ? [] : all.filter((scenario) => scenario.target !== target)
      onChange()
    },
    find(operation, session) {
      const matching = all.filter(
        (scenario) =>
          (scenario.session === undefined || scenario.session === session) &&
          (isForced(scenario) ? scenario.target === operation : appliesTo(scenario.target, operation)),
      )
      const rank = (scenario: Scenario) => (isForced(scenario) ? 0 : 2) + (scenario.session ? 0 : 1)
      return matching.sort((a, b) => rank(a) - rank(b))[0]
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

const isForced = ({ outcome, response }: Scenario): boolean => outcome !== undefined || response !== undefined

const appliesTo = (target: string, operation: OperationName): boolean =>
  (namedScenarios[target as ScenarioName].operations as readonly string[]).includes(operation)

const checkTarget = (target: string) => {
  if (!targets.includes(target)) throw new ControlError(`There is no scenario "${target}".`, targets)
}

/** Returns a validated copy. */
function validate({ target, outcome, response, times, session }: Scenario): Scenario {
  checkTarget(target)
  if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
    throw new ControlError(`times is ${times}; it must be a whole number of at least 1.`)
  }
  const options = { ...(times !== undefined && { times }), ...(session !== undefined && { session }) }
  if (scenarioNames.includes(target as ScenarioName)) {
    if (outcome === undefined && response === undefined) return { target: target as ScenarioName, ...options }
    throw new ControlError(`The scenario "${target}" takes no outcome.`)
  }
  const operation = target as OperationName
  if (response !== undefined) {
    if (outcome === undefined)
      return { target: operation, response: validateResponse(operation, response), ...options }
    throw new ControlError('A scenario has an outcome or a response, not both.')
  }
  const found = outcomeNamed(operation, outcome ?? 'no outcome')
  // One of the operation, which a type of any operation cannot express.
  return { target: operation, outcome: found, ...options } as Scenario
}
