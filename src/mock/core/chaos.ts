import { fnv1a } from '../../contract/fnv1a.js'
import { operationNames } from '../../contract/operations.js'
import { ControlError } from './control-error.js'
import { formatRange, parseRange, type Range } from './delays.js'
import { findOutcome, type Outcome, outcomeNamed, outcomesOf } from './outcomes.js'
import { createRandom, type Random } from './random.js'
import type { ByTarget, TargetName } from './target-name.js'
import type { Targets } from './targets.js'

/** What is drawn at random for each request of an operation or a handler. */
export type ChaosSetting = {
  /** The part of the requests that fail, from 0 to 1. Defaults to 0. */
  errorRate?: number
  /** The delay in milliseconds, in place of the ordinary one: `300`, or a range, `'200-2000'`. */
  delay?: string | number
  /** Repeats the failures and delays of the profile that had this seed. Defaults to the mock's own seed, else to any. */
  seed?: number
  /** How requests fail. Defaults to INTERNAL_ERROR (500) and SERVICE_UNAVAILABLE (503). */
  outcomes?: (string | number)[]
}

/** A setting that is active, complete. */
export type ChaosProfile = { errorRate: number; delay?: string; seed: number; outcomes: Outcome[] }

/** The profile of all operations and handlers, and those of single ones, which precede it. */
export type ChaosProfiles = { all?: ChaosProfile; operations: ByTarget<ChaosProfile> }

/** What was drawn for a request. */
export type ChaosDraw = {
  /** In milliseconds. */
  delay?: number
  /** Undefined if the request does not fail. */
  outcome?: Outcome
  why: string
}

type Active = {
  profile: ChaosProfile
  range?: Range
  /** What was drawn for each target. They are independent: the order of requests matters among those of one. */
  streams: Map<TargetName, { random: Random; requests: number }>
  /** The requests that it was drawn for: several handlers may take one. */
  drawn: WeakSet<object>
}

const defaultOutcomes: readonly Outcome[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
const maxSeed = 2 ** 32 - 1

/** @param mockSeed the seed of the mock, if it has one */
export function createChaos(targets: Targets, initial?: ChaosSetting, mockSeed?: number) {
  const first = initial && activate(initial, undefined, mockSeed)
  let all = first
  const single = new Map<TargetName, Active>()
  /** That of all is for what there is: operations and handlers. */
  const activeFor = (target: TargetName) =>
    single.get(target) ??
    (all && /^(operation|handler)$/.test(targets.find(target)?.kind ?? '') ? all : undefined)

  return {
    get: (): ChaosProfiles => ({
      ...(all && { all: copyOf(all) }),
      operations: Object.fromEntries([...single].map(([target, active]) => [target, copyOf(active)])),
    }),
    /**
     * Sets the profile of all targets or of one, in place of an earlier one, and begins to draw anew.
     * @throws ControlError for a value that is not valid, or an outcome that the target cannot have
     */
    set(setting: ChaosSetting, target?: TargetName) {
      if (target !== undefined) targets.check(target)
      const active = activate(setting, target, mockSeed)
      if (target === undefined) all = active
      else single.set(target, active)
    },
    /** Removes every profile, or that of one target. @throws ControlError for an unknown one */
    clear(target?: TargetName) {
      if (target === undefined) {
        all = undefined
        single.clear()
      } else if (!single.delete(target)) targets.check(target)
    },
    /** Restores the initial profile, and begins to draw anew. */
    reset() {
      first?.streams.clear()
      all = first
      single.clear()
    },
    /** Whether requests of a target are drawn for. */
    has: (target: TargetName) => activeFor(target) !== undefined,
    /**
     * Draws for the next request of a target. Returns undefined if there is no profile for it, or if another handler has
     * drawn by that profile: the request would fail a second time.
     */
    draw(target: TargetName, request: object = {}): ChaosDraw | undefined {
      const active = activeFor(target)
      if (active === undefined || active.drawn.has(request)) return undefined
      active.drawn.add(request)
      return drawFrom(active, target)
    },
  }
}

/** Draws three numbers for each request, whatever they decide: what is drawn later does not depend on the profile. */
function drawFrom({ profile, range, streams }: Active, target: TargetName): ChaosDraw {
  const { errorRate, seed, outcomes } = profile
  // Targets with the same seed fail independently of one another.
  const stream = streams.get(target) ?? { random: createRandom(seed ^ fnv1a(target)), requests: 0 }
  streams.set(target, stream)
  stream.requests += 1
  const { random, requests } = stream
  const fails = random.fraction() < errorRate
  const outcome = outcomes[Math.floor(random.fraction() * outcomes.length)]
  const delay = random.between(...(range ?? [0, 0]))
  return {
    ...(range && { delay }),
    ...(fails && { outcome }),
    why: `chaos ${outcome}, request ${requests} of seed ${seed}`,
  }
}

function activate(setting: ChaosSetting, target: TargetName | undefined, mockSeed?: number): Active {
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
  const outcomes = outcomesNamed(setting.outcomes ?? defaultOutcomes, target)
  return {
    profile: { errorRate, ...(range && { delay: formatRange(range) }), seed, outcomes },
    range,
    streams: new Map(),
    drawn: new WeakSet(),
  }
}

const anySeed = () => Math.floor(Math.random() * 1_000_000)

/** The outcomes with these names or statuses, which the target has, or every operation. */
function outcomesNamed(wanted: readonly (string | number)[], target: TargetName | undefined): Outcome[] {
  if (!Array.isArray(wanted) || wanted.length === 0) {
    throw new ControlError(
      'The outcomes of chaos are a list of at least one, such as ["SERVICE_UNAVAILABLE"].',
    )
  }
  if (target !== undefined) return wanted.map((name) => outcomeNamed(target, name))
  const common = operationNames
    .map(outcomesOf)
    .reduce((possible, own) => possible.filter((outcome) => own.includes(outcome)))
  return wanted.map((name) => findOutcome(common, name, 'Not every operation'))
}

const copyOf = ({ profile }: Active): ChaosProfile => ({ ...profile, outcomes: [...profile.outcomes] })
