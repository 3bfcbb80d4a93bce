import type { LogEntry } from '../../../mock/core/request-log.js'
import type { KeyPress } from '../key-press.js'
import { filterChoices, moveIndex, reduceListKey } from '../list-state.js'
import type { Size } from '../live.js'
import { type Action, choicesOf, openList } from './choices.js'
import { onData } from './data-keys.js'
import type { Effect } from './effect.js'
import { pageView } from './layout.js'
import type { MockSnapshot } from './mock-snapshot.js'
import type { PageScreen } from './page-rows.js'
import { dataScreen, type Prompt, previousScreen, promptScreen, type Screen, type Ui } from './screens.js'

/** The state after a key, and the effect to run. */
export type Transition = { ui: Ui; effect?: Effect }

type ScreenOf<Type extends Screen['type']> = Extract<Screen, { type: Type }>

/**
 * Handles every key.
 * @param size of the terminal
 */
export function reduceKey({ screen }: Ui, press: KeyPress, mock: MockSnapshot, size: Size): Transition {
  const action = press.key === 'interrupt' ? quit : actionOf(screen, press, mock, size)
  return { ui: { screen: action.screen ?? screen }, effect: action.effect }
}

/** The state after an effect, which was started on the screen `from`. */
export function reduceOutcome(ui: Ui, from: Screen, outcome: { done: string } | { failed: string }): Ui {
  const isUnchanged = ui.screen === from
  if ('done' in outcome) {
    const screen = isUnchanged ? afterEffect(from) : ui.screen
    return { screen, notice: { type: 'success', text: outcome.done } }
  }
  if (isUnchanged && from.type === 'prompt') return { screen: { ...from, error: outcome.failed } }
  return { screen: ui.screen, notice: { type: 'error', text: outcome.failed } }
}

/** The log stays as it is, as does the data, which a prompt returns to. */
function afterEffect(screen: Screen): Screen {
  if (screen.type === 'prompt' && screen.prompt.type === 'field') return screen.prompt.from
  if (screen.type === 'prompt' && screen.prompt.type === 'record') {
    // A new record is the last one.
    return { ...dataScreen(screen.prompt.from.kind), index: Number.MAX_SAFE_INTEGER }
  }
  return screen.type === 'log' || screen.type === 'data' ? screen : { type: 'log' }
}

const quit: Action = { effect: { type: 'quit' } }

function actionOf(screen: Screen, press: KeyPress, mock: MockSnapshot, size: Size): Action {
  switch (screen.type) {
    case 'log':
      return onLog(screen, press, mock)
    case 'details':
      return scroll(screen, press, mock, size) ?? onDetails(screen, press, mock)
    case 'list':
      return onList(screen, press, mock)
    case 'data':
      return onData(screen, press, mock)
    case 'prompt':
      return onPrompt(screen, press)
    case 'help':
      return scroll(screen, press, mock, size) ?? (press.text === 'q' ? quit : { screen: { type: 'log' } })
  }
}

function onLog({ selected }: ScreenOf<'log'>, press: KeyPress, mock: MockSnapshot): Action {
  const { log } = mock
  const index = log.findIndex(({ id }) => id === selected)
  if (press.key === undefined) {
    return letterActions.get(press.text)?.(mock) ?? onEntry(log[Math.max(0, index)], press) ?? {}
  }
  const moved = moveIndex(index, press, log.length)
  if (moved !== undefined) return { screen: { type: 'log', selected: log[moved]?.id } }
  const entry = log[Math.max(0, index)]
  if (press.key === 'enter' && entry) return { screen: { type: 'details', id: entry.id } }
  return press.key === 'escape' ? { screen: { type: 'log' } } : {}
}

/** Keys that concern a request of the log. */
function onEntry(entry: LogEntry | undefined, { text }: KeyPress): Action | undefined {
  if (!entry) return undefined
  if (text === 'w') return { effect: { type: 'rewind', id: entry.id } }
  return text === 'a' ? { effect: { type: 'send', id: entry.id } } : undefined
}

const letterActions = new Map<string, (mock: MockSnapshot) => Action>([
  ['p', (mock) => ({ screen: openList({ type: 'persona' }, mock) })],
  ['f', (mock) => ({ screen: openList({ type: 'target' }, mock) })],
  ['d', (mock) => ({ screen: openList({ type: 'delay' }, mock) })],
  ['x', (mock) => ({ screen: openList({ type: 'chaos' }, mock) })],
  ['c', () => ({ screen: promptScreen({ type: 'clock', ticking: false }) })],
  ['s', () => ({ screen: promptScreen({ type: 'snapshot' }) })],
  ['l', (mock) => ({ screen: openList({ type: 'snapshot' }, mock) })],
  ['r', (mock) => ({ screen: openList({ type: 'reset' }, mock) })],
  ['u', () => ({ effect: { type: 'undo' } })],
  ['y', () => ({ effect: { type: 'redo' } })],
  ['e', () => ({ screen: dataScreen() })],
  ['o', () => ({ effect: { type: 'open' } })],
  ['?', () => ({ screen: { type: 'help' } })],
  ['q', () => quit],
])

/** Scrolls a page; undefined if the key does not. In the details of a request, arrows select another request. */
function scroll(screen: PageScreen, press: KeyPress, mock: MockSnapshot, size: Size): Action | undefined {
  const { first, lastFirst, height } = pageView(screen, mock, size)
  const page = Math.max(1, height - 1)
  const steps = new Map<string | undefined, number>([
    ['pageDown', page],
    [' ', page],
    ['pageUp', -page],
    ['b', -page],
    ...(screen.type === 'help' ? helpSteps : []),
  ])
  const step = steps.get(press.key ?? press.text)
  if (step === undefined) return undefined
  return { screen: { ...screen, first: Math.max(0, Math.min(first + step, lastFirst)) } }
}

const helpSteps: [key: string, step: number][] = [
  ['down', 1],
  ['up', -1],
  ['home', Number.NEGATIVE_INFINITY],
  ['end', Number.POSITIVE_INFINITY],
]

function onDetails(screen: ScreenOf<'details'>, press: KeyPress, { log }: MockSnapshot): Action {
  const index = log.findIndex(({ id }) => id === screen.id)
  if (press.key === undefined) return press.text === 'q' ? quit : (onEntry(log[index], press) ?? {})
  const moved = moveIndex(index, press, log.length)
  if (press.key === 'left' || press.key === 'right') return {}
  if (moved === undefined) return { screen: previousScreen(screen) }
  return { screen: { type: 'details', id: log[moved]?.id ?? screen.id } }
}

function onList(screen: ScreenOf<'list'>, press: KeyPress, mock: MockSnapshot): Action {
  const { list, filter, index } = screen
  const choices = filterChoices(choicesOf(list, mock), filter)
  const moved = reduceListKey({ filter, index }, press, choices.length)
  if (moved) return { screen: { ...screen, ...moved } }
  if (press.key === 'escape') return { screen: previousScreen(screen) }
  if (press.key === 'tab' && list.type === 'outcome') {
    return { screen: { ...screen, list: { ...list, once: !list.once } } }
  }
  return (press.key === 'enter' && choices[index]) || {}
}

function onPrompt(screen: ScreenOf<'prompt'>, press: KeyPress): Action {
  const { prompt, text } = screen
  const enter = (entered: string): Action => ({ screen: { type: 'prompt', prompt, text: entered } })
  if (press.key === 'clear') return enter('')
  if (press.key === 'tab' && prompt.type === 'clock') {
    return { screen: { ...screen, prompt: { ...prompt, ticking: !prompt.ticking } } }
  }
  if (press.key === 'tab' && prompt.type === 'response') {
    return { screen: { ...screen, prompt: { ...prompt, unchecked: !prompt.unchecked } } }
  }
  if (press.key === undefined) return enter(text + press.text)
  if (press.key === 'backspace') return enter([...text].slice(0, -1).join(''))
  if (press.key === 'escape') return { screen: previousScreen(screen) }
  if (press.key !== 'enter') return {}
  return { effect: promptEffect(prompt, text.trim()) }
}

function promptEffect(prompt: Prompt, text: string): Effect {
  switch (prompt.type) {
    case 'delay':
      return { type: 'delay', ms: text, operation: prompt.operation }
    case 'chaos':
      return { type: 'chaos', text, operation: prompt.operation }
    case 'response':
      return { ...prompt, type: 'respond', text }
    case 'clock':
      return { type: 'clock', at: text, ticking: prompt.ticking }
    case 'snapshot':
      return { type: 'save', name: text }
    case 'field':
      return { type: 'setField', kind: prompt.from.kind, key: prompt.key, field: prompt.field, text }
    case 'record':
      return { type: 'addRecord', kind: prompt.from.kind, text }
  }
}
