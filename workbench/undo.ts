// Undo and redo of all that this page does: the steps of the data, which the mock keeps, and those of what is in force, of the
// log, of snapshots and of the persona, which the page keeps.

import { computed, signal } from '@preact/signals'
import type { ControlName } from '../src/mock/controls/control-endpoints.js'
import type { ChaosProfile } from '../src/mock/engine/chaos.js'
import type { Scenario } from '../src/mock/engine/scenarios.js'
import type { TargetName } from '../src/mock/engine/target-name.js'
import { call } from './connection.js'
import { history, refresh } from './store.js'
import { control, toast } from './toasts.js'

/** A step that the page keeps. */
type OwnStep = {
  text: string
  /** How many steps of the data come before it. */
  depth: number
  back(): Promise<unknown>
  /** Does it again; without it, that is not possible. */
  again?(): Promise<unknown>
}

const own = signal<readonly OwnStep[]>([])
/** What was undone here, the latest last: a step, or one of the data. */
const undone = signal<readonly (OwnStep | 'data')[]>([])

const isLatest = ({ depth }: OwnStep) => depth >= (history.value.steps ?? 0)

/** The titles of the steps that undo and redo are about. */
export const steps = computed((): { undo?: string; redo?: string } => {
  const last = own.value.at(-1)
  const next = undone.value.at(-1)
  return {
    undo: last && isLatest(last) ? last.text : history.value.undo,
    redo: next && next !== 'data' ? next.text : history.value.redo,
  }
})

async function readHistory(): Promise<void> {
  const { output } = await call('history')
  if (output) history.value = output
}

/** Adds a step that has just been done, and says so. */
export async function record(text: string, step: Pick<OwnStep, 'back' | 'again'>): Promise<void> {
  await readHistory()
  const added = { text, depth: history.value.steps ?? 0, ...step }
  own.value = [...own.value.slice(-99), added]
  undone.value = []
  toast(`${text}.`, () => undoOwn(added))
}

async function undoOwn(step: OwnStep): Promise<void> {
  // It was undone by a key meanwhile.
  if (!own.value.includes(step)) return
  own.value = own.value.filter((other) => other !== step)
  await step.back()
  if (step.again) undone.value = [...undone.value, step]
  await refresh()
  toast(`Undone: ${step.text}.`, step.again && redo)
}

type DataStep = { title: string; entry?: number; warning?: string }
const stepText = (verb: string, { title, entry, warning }: DataStep) =>
  [`${verb}: ${title}${entry === undefined ? '' : `, request ${entry}`}.`, warning].filter(Boolean).join(' ')

export async function undo(): Promise<void> {
  await readHistory()
  const last = own.value.at(-1)
  if (last && isLatest(last)) return undoOwn(last)
  const step = await control('undo')
  if (!step) return
  // A reset by another interface has emptied the log, too.
  if (step.title === 'reset') await call('restoreLog')
  undone.value = [...undone.value, 'data']
  toast(stepText('Undone', step), redo)
}

export async function redo(): Promise<void> {
  const last = undone.value.at(-1)
  undone.value = undone.value.slice(0, -1)
  if (last && last !== 'data') {
    await last.again?.()
    await readHistory()
    own.value = [...own.value, { ...last, depth: history.value.steps ?? 0 }]
    await refresh()
    toast(`Made again: ${last.text}.`, undo)
    return
  }
  const step = await control('redo')
  if (step) toast(stepText('Made again', step), undo)
}

// What is in force

async function readForced() {
  const [scenarios, delay, chaos, clock] = await Promise.all([
    call('scenarios'),
    call('delay'),
    call('chaos'),
    call('clock'),
  ])
  return {
    scenarios: scenarios.output ?? [],
    delay: delay.output ?? { all: '0', operations: {} },
    chaos: chaos.output ?? { operations: {} },
    clock: { mode: 'real', now: '', ...clock.output, readAt: Date.now() },
  }
}
export type Forced = Awaited<ReturnType<typeof readForced>>

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
const names = (...all: object[]) => new Set(all.flatMap((each) => Object.keys(each))) as Set<TargetName>

/** Where a clock that runs is by now; a clock that is stopped stays. */
const clockNow = ({ mode, now, readAt }: Forced['clock']) =>
  mode === 'fixed' ? Date.parse(now) : Date.parse(now) + Date.now() - readAt
const isSameClock = (a: Forced['clock'], b: Forced['clock']) =>
  a.mode === b.mode && (a.mode === 'real' || Math.abs(clockNow(a) - clockNow(b)) < 1000)

/** Sets what differs between two moments as it was at the second one. All else stays. */
async function goTo(to: Forced, from: Forced): Promise<void> {
  const of = (list: readonly Scenario[], target: string) => list.filter((each) => each.target === target)
  for (const target of new Set([...from.scenarios, ...to.scenarios].map((each) => each.target))) {
    const wanted = of(to.scenarios, target)
    if (isSame(of(from.scenarios, target), wanted)) continue
    await call('clearScenarios', { target })
    for (const scenario of wanted) await control('setScenario', scenario as never)
  }
  if (from.delay.all !== to.delay.all) await control('setDelay', { ms: to.delay.all })
  for (const operation of names(from.delay.operations, to.delay.operations)) {
    const ms = to.delay.operations[operation] ?? null
    if ((from.delay.operations[operation] ?? null) !== ms) await control('setDelay', { ms, operation })
  }
  const setChaos = (profile: ChaosProfile | undefined, operation?: TargetName) =>
    profile && control('setChaos', { ...profile, ...(operation && { operation }) } as never)
  // There is no control that ends the profile of all operations alone.
  const isOfAll = !isSame(from.chaos.all, to.chaos.all)
  if (isOfAll) {
    await control('clearChaos')
    await setChaos(to.chaos.all)
  }
  for (const operation of names(from.chaos.operations, to.chaos.operations)) {
    const profile = to.chaos.operations[operation]
    if (!isOfAll && isSame(from.chaos.operations[operation], profile)) continue
    if (!isOfAll) await control('clearChaos', { operation })
    await setChaos(profile, operation)
  }
  if (!isSameClock(from.clock, to.clock))
    await (to.clock.mode === 'real'
      ? control('setClock')
      : control('setClock', {
          at: new Date(clockNow(to.clock)).toISOString(),
          ticking: to.clock.mode === 'ticking',
        }))
}

/**
 * Changes what is in force, in a step, and says so.
 * @param run returns an error, if there is one
 */
export async function change(
  text: string,
  run: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const before = await readForced()
  const error = await run()
  const after = await readForced()
  await refresh()
  const isOther =
    !isSame({ ...before, clock: 0 }, { ...after, clock: 0 }) || !isSameClock(before.clock, after.clock)
  // A part of it may have been refused.
  if (isOther) await record(text, { back: () => goTo(before, after), again: () => goTo(after, before) })
  return error
}

/** The same for one control, which shows its error. */
export async function force<Name extends ControlName>(
  text: string,
  name: Name,
  input: Record<string, unknown> = {},
): Promise<void> {
  const error = await change(text, async () => (await call(name, input as never)).error)
  if (error !== undefined) toast(error)
}

/** Resets the mock. The step brings back the data, the log, what was in force, and the persona of `session=active`. */
export async function reset(): Promise<void> {
  const before = await readForced()
  const active = (await call('sessions')).output?.active
  await readHistory()
  const depth = history.value.steps ?? 0
  if (!(await control('reset'))) return
  const after = await readForced()
  await readHistory()
  const hasData = (history.value.steps ?? 0) > depth
  await refresh()
  await record('Everything was reset', {
    async back() {
      await readHistory()
      if (hasData && history.value.undo === 'reset') await control('undo')
      await call('restoreLog')
      await goTo(before, after)
      const { output } = await call('sessions')
      if (active !== undefined && output?.active !== active) await call('useSession', { id: active })
    },
    again: () => control('reset'),
  })
}
