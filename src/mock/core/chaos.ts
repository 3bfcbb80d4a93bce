import { fnv1a } from '../../contract/fnv1a.js'
import { type OperationName, operationNames } from '../../contract/operations.js'
import { ControlError } from './control-error.js'
import { drawDelay, formatRange, parseRange, type Range } from './delays.js'
import { findOutcome, type Outcome, outcomesOf } from './outcomes.js'
import { createRandom, type Random } from './random.js'

/** What is drawn at random for each request of an operation. */
export type ChaosSetting = {
  /** The part of the requests that fail, from 0 to 1. Defaults to 0. */
  errorRate?: number
  /** The delay in milliseconds, in place of the ordinary one: `300`, or a range, `'200-2000'`. */
  delay?: string | number
  /** Repeats the failures and delays of the profile that had this seed. Defaults to the mock's own seed, else to any. */
  seed?: number
  /** How requests fail. Defaults to INTERNAL_ERROR (500) and SERVICE_UNAVAILABLE (503). */
  outcomes?: string[]
}

/** A setting that is active, complete. */
export type ChaosProfile = { errorRate: number; delay?: string; seed: number; outcomes: Outcome[] }

/** The profile of all operations, and those of single ones, which precede it. */
export type ChaosProfiles = { all?: ChaosProfile; operations: Partial<Record<OperationName, ChaosProfile>> }

/** What was drawn for a request. */
export type ChaosDraw = {
  /** In milliseconds. */
  delay?: number
  /** Undefined if the request does not fail. */
  outcome?: Outcome
  why: string
}

export type Chaos = {
  get(): ChaosProfiles
  /**
   * Sets the profile of all operations or of one, in place of an earlier one, and begins to draw anew.
   * @throws ControlError for a value that is not valid, or an outcome that an operation cannot have
   */
  set(setting: ChaosSetting, operation?: OperationName): void
  /** Removes every profile, or that of one operation. @throws ControlError for an unknown operation */
  clear(operation?: OperationName): void
  /** Restores the initial profile, and begins to draw anew. */
  reset(): void
  /** Draws for the next request of an operation. Returns undefined if there is no profile for it. */
  draw(operation: OperationName | undefined): ChaosDraw | undefined
}

type Active = {
  profile: ChaosProfile
  range?: Range
  /** What was drawn for each operation. They are independent: the order of requests matters among those of one. */
  streams: Map<OperationName, { random: Random; requests: number }>
}

const defaultOutcomes: readonly Outcome[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
const maxSeed = 2 ** 32 - 1

/** @param mockSeed the seed of the mock, if it has one */
export function createChaos(initial?: ChaosSetting, mockSeed?: number): Chaos {
  const first = initial && activate(initial, undefined, mockSeed)
  let all = first
  const operations = new Map<OperationName, Active>()

  return {
    get: () => ({
      ...(all && { all: copyOf(all) }),
      operations: Object.fromEntries([...operations].map(([name, active]) => [name, copyOf(active)])),
    }),
    set(setting, operation) {
      if (operation !== undefined) checkOperation(operation)
      const active = activate(setting, operation, mockSeed)
      if (operation === undefined) all = active
      else operations.set(operation, active)
    },
    clear(operation) {
      if (operation !== undefined) {
        checkOperation(operation)
        operations.delete(operation)
        return
      }
      all = undefined
      operations.clear()
    },
    reset() {
      first?.streams.clear()
      all = first
      operations.clear()
    },
    draw(operation) {
      const active = operation && (operations.get(operation) ?? all)
      return active && drawFrom(active, operation)
    },
  }
}

/** Draws three numbers for each request, whatever they decide: what is drawn later does not depend on the profile. */
function drawFrom({ profile, range, streams }: Active, operation: OperationName): ChaosDraw {
  const { errorRate, seed, outcomes } = profile
  // Operations with the same seed fail independently of one another.
  const stream = streams.get(operation) ?? { random: createRandom(seed ^ fnv1a(operation)), requests: 0 }
  streams.set(operation, stream)
  stream.requests += 1
  const { random, requests } = stream
  const fails = random.fraction() < errorRate
  const outcome = outcomes[Math.floor(random.fraction() * outcomes.length)]
  const delay = drawDelay(range ?? [0, 0], random)
  return {
    ...(range && { delay }),
    ...(fails && { outcome }),
    why: `chaos ${outcome}, request ${requests} of seed ${seed}`,
  }
}

function activate(setting: ChaosSetting, operation: OperationName | undefined, mockSeed?: number): Active {
  const { errorRate = 0, delay, seed = mockSeed ?? anySeed() } = setting
  if (setting.errorRate === undefined && delay === undefined) {
    throw new ControlError('Chaos takes an error rate from 0 to 1, a delay, or both.')
  }
  if (!(typeof errorRate === 'number' && errorRate >= 0 && errorRate <= 1)) {
    throw new ControlError(`${errorRate} is not an error rate: give a number from 0 to 1, e.g. 0.1.`)
  }
  if (!(Number.isInteger(seed) && seed >= 0 && seed <= maxSeed)) {
    throw new ControlError(`${seed} is not a seed of chaos: give a whole number from 0 to ${maxSeed}.`)
  }
  const range = delay === undefined ? undefined : parseRange(delay)
  const outcomes = outcomesNamed(setting.outcomes ?? defaultOutcomes, operation)
  return {
    profile: { errorRate, ...(range && { delay: formatRange(range) }), seed, outcomes },
    range,
    streams: new Map(),
  }
}

const anySeed = () => Math.floor(Math.random() * 1_000_000)

/** The outcomes with these names or statuses, which the operation has, or every operation. */
function outcomesNamed(wanted: readonly string[], operation: OperationName | undefined): Outcome[] {
  if (!Array.isArray(wanted) || wanted.length === 0) {
    throw new ControlError(
      'The outcomes of chaos are a list of at least one, such as ["SERVICE_UNAVAILABLE"].',
    )
  }
  const names = operation ? [operation] : operationNames
  const possible = names
    .map(outcomesOf)
    .reduce((common, own) => common.filter((outcome) => own.includes(outcome)))
  return wanted.map((name) => findOutcome(possible, name, operation ?? 'Not every operation'))
}

function checkOperation(name: OperationName): void {
  if (!operationNames.includes(name)) {
    throw new ControlError(`There is no operation "${name}".`, operationNames)
  }
}

const copyOf = ({ profile }: Active): ChaosProfile => ({ ...profile, outcomes: [...profile.outcomes] })
