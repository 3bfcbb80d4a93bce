import { fnv1a } from '../../contract/fnv1a.js'
import { operationNames } from '../../contract/operations.js'
import { shown } from '../../contract/shown.js'
import { ControlError } from '../state/control-error.js'
import type { Part } from '../state/history.js'
import { createRandom, type Random } from '../state/random.js'
import { formatRange, parseRange, type Range } from './delays.js'
import { findOutcome, type Outcome, outcomeNamed, outcomesOf } from './outcomes.js'
import type { ByTarget, TargetName } from './target-name.js'
import type { Targets } from './targets.js'

/** Random failures and delays of the requests of an operation or a handler. */
export type ChaosSetting = {
  /** The share of requests that fail, from 0 to 1. Default: 0. */
  errorRate?: number
  /** The delay in milliseconds, which replaces the ordinary one: `300`, or a range, `'200-2000'`. */
  delay?: string | number
  /** Repeats the failures and delays of an earlier profile. Default: the mock's own seed, else a random one. */
  seed?: number
  /** How requests fail. Default: INTERNAL_ERROR (500) and SERVICE_UNAVAILABLE (503). */
  outcomes?: (string | number)[]
}

/** A complete setting. */
export type ChaosProfile = { errorRate: number; delay?: string; seed: number; outcomes: Outcome[] }

/** The profile of all operations and handlers, and those of single ones, which take precedence. */
export type ChaosProfiles = { all?: ChaosProfile; operations: ByTarget<ChaosProfile> }

/** The outcome and delay that were drawn for a request. */
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
  /** The draws of each target. They are independent: only the order of requests to one target matters. */
  streams: Map<TargetName, { random: Random; requests: number }>
  /** The requests with a draw: several handlers may take one. */
  drawn: WeakSet<object>
}

const defaultOutcomes: readonly Outcome[] = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']
const maxSeed = 2 ** 32 - 1

/** @param mockSeed the seed of the mock, if it has one */
export function createChaos(targets: Targets, initial?: ChaosSetting, mockSeed?: number) {
  const first = initial && activate(initial, undefined, mockSeed)
  const none = { all: first, single: new Map<TargetName, Active>() }
  /** Each change replaces it. */
  let value = none
  const part: Part<typeof none> = {
    name: 'timing',
    get: () => value,
    set(earlier) {
      value = earlier
      return undefined
    },
  }
  /** The profile of all applies to operations and handlers, not to unanswered paths. */
  const activeFor = (target: TargetName) =>
    value.single.get(target) ??
    (value.all && /^(operation|handler)$/.test(targets.find(target)?.kind ?? '') ? value.all : undefined)

  return {
    part,
    get: (): ChaosProfiles => ({
      ...(value.all && { all: copyOf(value.all) }),
      operations: Object.fromEntries([...value.single].map(([target, active]) => [target, copyOf(active)])),
    }),
    /** The value of the part for profiles of a file. @throws ControlError as `set` does */
    read({ all, operations }: { all?: ChaosSetting; operations: Record<string, ChaosSetting> }): typeof none {
      const single = Object.entries(operations).map(([name, setting]): [TargetName, Active] => {
        targets.check(name)
        const target = name as TargetName
        return [target, activate(setting, target, mockSeed)]
      })
      return { all: all && activate(all, undefined, mockSeed), single: new Map(single) }
    },
    /**
     * Replaces the profile of all targets or of one, and restarts its draws.
     * @throws ControlError for an invalid value, or an outcome that the target cannot have
     */
    set(setting: ChaosSetting, target?: TargetName) {
      if (target !== undefined) targets.check(target)
      const active = activate(setting, target, mockSeed)
      value =
        target === undefined
          ? { ...value, all: active }
          : { ...value, single: new Map(value.single).set(target, active) }
    },
    /** Removes every profile, or that of one target. @throws ControlError for an unknown target */
    clear(target?: TargetName) {
      if (target !== undefined) targets.check(target)
      const single = new Map(value.single)
      if (target === undefined) single.clear()
      else single.delete(target)
      const all = target === undefined ? undefined : value.all
      if (all !== value.all || single.size !== value.single.size) value = { all, single }
    },
    /** Restores the initial profile, and restarts its draws. */
    reset() {
      first?.streams.clear()
      if (value.all !== none.all || value.single.size > 0) value = none
    },
    /** Whether requests of a target have a profile. */
    has: (target: TargetName) => activeFor(target) !== undefined,
    /**
     * Draws for the next request of a target. Returns undefined without a profile, or if another handler has drawn for the
     * request by the same profile: it would fail twice.
     */
    draw(target: TargetName, request: object = {}): ChaosDraw | undefined {
      const active = activeFor(target)
      if (active === undefined || active.drawn.has(request)) return undefined
      active.drawn.add(request)
      return drawFrom(active, target)
    },
  }
}

/** Always draws three numbers, so that later draws do not depend on the profile. */
function drawFrom({ profile, range, streams }: Active, target: TargetName): ChaosDraw {
  const { errorRate, seed, outcomes } = profile
  // Targets with the same seed fail independently.
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
    throw new ControlError(`${shown(errorRate)} is not an error rate: give a number from 0 to 1, e.g. 0.1.`)
  }
  if (!(Number.isInteger(seed) && seed >= 0 && seed <= maxSeed)) {
    throw new ControlError(`${shown(seed)} is not a seed of chaos: give a whole number from 0 to ${maxSeed}.`)
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

/** The outcomes with these names or statuses, of the target or of every operation. */
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
