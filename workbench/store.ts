// The state of the mock as the page shows it. Each view reads these signals, and is drawn anew when one of them changes.

import { batch, computed, signal } from '@preact/signals'
import type { SessionList } from '../src/mock/controls/persona-controls.js'
import type { StepView } from '../src/mock/controls/step-view.js'
import type { ChaosProfiles } from '../src/mock/engine/chaos.js'
import type { Scenario } from '../src/mock/engine/scenarios.js'
import type { ListedTarget } from '../src/mock/engine/targets.js'
import type { LogEntry } from '../src/mock/log/log-entry.js'
import type { EntryRange } from '../src/mock/state/history.js'
import { call, connection, isInPage } from './connection.js'

export type View = 'timeline' | 'data' | 'handlers'
const views: View[] = ['timeline', 'data', 'handlers']

export const view = signal<View>('timeline')
/** Undefined before the mock has answered. */
export const isConnected = signal<boolean | undefined>(undefined)
export const refusal = signal('')

/** The stored entries, oldest first. Undefined before the log was read. */
export const entries = signal<LogEntry[] | undefined>(undefined)
export const sessions = signal<SessionList | undefined>(undefined)
export const targets = signal<ListedTarget[]>([])
export const scenarios = signal<Scenario[]>([])
export const delays = signal<{ all: string; operations: Record<string, string> }>({
  all: '0',
  operations: {},
})
export const chaos = signal<ChaosProfiles>({ operations: {} } as ChaosProfiles)
export const clock = signal<{ now: string; mode: string } | undefined>(undefined)
export const named = signal<Record<string, string>>({})
export const snapshots = signal<string[]>([])
/** The changes that are stored, oldest first. */
export const steps = signal<(StepView & { isUndone: boolean })[]>([])
export const history = signal<{
  undo?: StepView
  redo?: StepView
  undone?: EntryRange[]
  rewindableFrom?: number
}>({})
/** Raised with each change of the data. */
export const dataVersion = signal(0)

/** The request that is selected. */
export const selectedId = signal<number | undefined>(undefined)
/** Whether the newest request is selected as it arrives. */
export const follows = signal(true)
export const search = signal('')
export const filterNames = ['', 'failed', 'changed'] as const
/** Of which requests the timeline shows those that match the search: all, or those that failed, or changed data. */
export const filter = signal<(typeof filterNames)[number]>('')
/** Requests that are shown although they do not match the search: those that were sent here. */
export const pinned = signal<ReadonlySet<number>>(new Set())

export const selected = computed(() => entries.value?.find(({ id }) => id === selectedId.value))
export const personas = computed(() => sessions.value?.sessions ?? [])
export const scenarioOf = (target: string): Scenario | undefined =>
  scenarios.value.find((scenario) => scenario.target === target)

// The address of a document that was made in a page is that of the page.
const hash = () => (isInPage ? '' : location.hash.slice(1))

/**
 * Shows a view. The part of the address behind # names it, its selection and the filter of the timeline. Another view is a
 * step of the browser's history.
 */
export function show(name: View, rest = ''): void {
  const isOther = view.value !== name && hash() !== ''
  view.value = name
  const parts = name === 'timeline' ? [rest, encodeURIComponent(search.value.trim()), filter.value] : [rest]
  const address = `#${[name, ...parts].join('/').replace(/\/+$/, '')}`
  if (isInPage || location.hash === address) return
  globalThis.history[isOther ? 'pushState' : 'replaceState'](undefined, '', address)
}

/** The words that the address has for the box: a page that links here can fill it in, and the user presses Enter. */
export const wordsOfAddress = (): string | undefined =>
  hash().startsWith('do/') ? decodeURIComponent(hash().slice(3)) : undefined

/** The selection that the address names. */
export function readAddress(): string | undefined {
  const [name = '', rest, words, only = ''] = hash().split('/', 4)
  const found = views.find((each) => each === name)
  if (found) view.value = found
  if (found === 'timeline') {
    search.value = decodeURIComponent(words ?? '')
    filter.value = filterNames.find((each) => each === only) ?? ''
    if (Number(rest) > 0) select(Number(rest))
  }
  return found === view.value ? rest : undefined
}

export function select(id: number | undefined, { keepsFollowing = false } = {}): void {
  batch(() => {
    if (!keepsFollowing) follows.value = false
    selectedId.value = id
  })
}

/**
 * Returns a function that runs another one once, some time after its last call.
 * @param maxMs while the calls go on: how long after the first of them
 */
export function debounce(run: () => unknown, ms: number, maxMs = Number.POSITIVE_INFINITY): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let first: number | undefined
  return () => {
    first ??= Date.now()
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        first = undefined
        run()
      },
      Math.min(ms, first + maxMs - Date.now()),
    )
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
/** Sets a signal if the value differs, so that nothing is drawn in vain. */
function put<Value>(target: { value: Value }, value: Value | undefined): void {
  if (value !== undefined && !isSame(target.value, value)) target.value = value
}

export async function refreshForced(): Promise<void> {
  const [a, b, c, d, e] = await Promise.all([
    call('targets'),
    call('scenarios'),
    call('delay'),
    call('chaos'),
    call('clock'),
  ])
  batch(() => {
    put(targets, a.output)
    put(scenarios, b.output)
    put(delays, c.output as typeof delays.value)
    put(chaos, d.output)
    put(clock, e.output)
  })
}

export async function refreshSessions(): Promise<void> {
  put(sessions, (await call('sessions')).output)
}

async function refreshRest(): Promise<void> {
  const [a, b] = await Promise.all([call('history'), call('snapshots'), refreshSessions()])
  batch(() => {
    put(history, a.output)
    put(snapshots, b.output)
  })
}

// Not after requests: they are entries of the log.
const refreshSteps = async () => put(steps, (await call('steps')).output)

export const refresh = async (): Promise<void> => {
  dataVersion.value += 1
  await Promise.all([refreshForced(), refreshRest(), refreshSteps(), refreshLog()])
}
const refreshSoon = debounce(refresh, 100)
const refreshAfterRequest = debounce(
  async () => {
    dataVersion.value += 1
    await Promise.all([refreshForced(), refreshRest()])
  },
  150,
  1000,
)

// The log

/** Entries that have arrived and are not shown yet. */
let arrived: LogEntry[] = []
let shownAt = 0
/** Those of which few arrived at once: their rows move as they come. */
export const fewArrived = new WeakSet<LogEntry>()
function addRequest(entry: LogEntry): void {
  // At most ten times a second.
  if (arrived.length === 0) setTimeout(addArrived, Math.max(20, shownAt + 100 - performance.now()))
  arrived.push(entry)
}

/** Whether the pointer is pressed on the log: a row that moved before its release would lose the click. */
const isPressed = () => document.querySelector('#log:active') !== null

function addArrived(): void {
  if (isPressed()) {
    setTimeout(addArrived, 50)
    return
  }
  shownAt = performance.now()
  const known = entries.value ?? []
  const last = known.at(-1)?.id ?? 0
  const isKnown = ({ id, time, ms }: LogEntry) =>
    id <= last && known.some((each) => each.id === id && each.time === time && each.ms === ms)
  const latest = [...new Map(arrived.map((entry) => [entry.id, entry])).values()]
  const added = latest.filter((entry) => !isKnown(entry))
  const aborted = new Map(latest.filter(isKnown).flatMap((each) => (each.aborted ? [[each.id, each]] : [])))
  arrived = []
  if (added.length <= 3) for (const entry of added) fewArrived.add(entry)
  if (aborted.size > 0 && added.length === 0)
    entries.value = known.map((each) => aborted.get(each.id) ?? each)
  if (added.length === 0 && entries.value) return
  // A smaller id is of a mock that was started again: it has seen nothing of the earlier log.
  const isOther = (added[0]?.id ?? last + 1) <= last
  if (isOther) forgetSelection()
  entries.value = isOther ? added : [...known.map((each) => aborted.get(each.id) ?? each), ...added]
  // The mock drops the oldest, too.
  if (entries.value.length > 1000) trimSoon()
}

/** After a reset, a cleared log or another mock, the next request is shown as it comes. */
export function forgetSelection(): void {
  batch(() => {
    selectedId.value = undefined
    follows.value = true
  })
}

export async function readLog(): Promise<number> {
  const stored = (await call('log')).output ?? []
  const last = stored.at(-1)?.id ?? 0
  const isSameLog = entries.value?.every(({ id, time }) =>
    stored.some((each) => each.id === id && each.time === time),
  )
  if (entries.value && !isSameLog) {
    entries.value = undefined
    forgetSelection()
  }
  arrived = [...stored, ...arrived.filter(({ id }) => id > last)]
  addArrived()
  return last
}

/** Forgets the entries that have left the mock's log, and reads those that another interface has restored. */
async function refreshLog(): Promise<void> {
  const { output } = await call('log', { since: 0, limit: 1 })
  if (!output || !entries.value) return
  const first = output[0]?.id
  const ours = entries.value[0]?.id
  if (first === undefined) {
    if (entries.value.length > 0 && arrived.length === 0) {
      entries.value = []
      forgetSelection()
    }
  } else if (ours === undefined || first < ours || (entries.value.at(-1)?.id ?? 0) < first) await readLog()
  else if (ours < first) {
    entries.value = entries.value.filter(({ id }) => id >= first)
    if ((selectedId.value ?? first) < first) forgetSelection()
  }
}
const trimSoon = debounce(refreshLog, 500, 500)

/** Connects to the mock, and follows it. */
export async function start(): Promise<void> {
  const possible = await call('possibleScenarios')
  if (possible.error !== undefined) {
    refusal.value = possible.error
    isConnected.value = false
    return
  }
  named.value = possible.output.named
  const last = await readLog()
  connection.follow(last, {
    onRequest(entry) {
      addRequest(entry)
      refreshAfterRequest()
    },
    onChange: refreshSoon,
    onConnection(isUp, isRestarted) {
      isConnected.value = isUp
      if (isRestarted) void readLog()
      if (isUp) refreshSoon()
    },
  })
}
