import type { Controls } from '../../../mock/core/controls.js'
import { describeStep } from '../../mock/settings-commands.js'
import type { KeyPress } from '../key-press.js'
import { filterChoices, moveIndex, reduceListKey } from '../list-state.js'
import { choicesOf } from './choices.js'
import type { MockSnapshot } from './mock-snapshot.js'
import type { Action, List, Screen } from './screen-types.js'

/** @param visible how many rows of a page are visible, and of how many */
export function reduceKey(
  screen: Screen,
  press: KeyPress,
  mock: MockSnapshot,
  visible: { height: number; rows: number },
): Action {
  if (press.key === 'interrupt') return { does: 'quit' }
  switch (screen.type) {
    case 'log':
      return onLog(screen.selected, press, mock)
    case 'page':
      return onPage(screen, press, mock, visible)
    case 'list':
      return onList(screen, press, mock)
    case 'prompt':
      return onPrompt(screen, press)
  }
}

const log: Screen = { type: 'log' }
const page = (name: 'details' | 'waitlist' | 'help', id?: number): Action => ({
  screen: { type: 'page', page: name, id, first: 0 },
})
function openList(list: List, mock: MockSnapshot): Action {
  const current = choicesOf(list, mock).findIndex(({ isCurrent }) => isCurrent)
  return { screen: { type: 'list', list, filter: '', index: Math.max(0, current) } }
}

function onLog(selected: number | undefined, press: KeyPress, mock: MockSnapshot): Action {
  const index = mock.log.findIndex(({ id }) => id === selected)
  const target = mock.log[index]?.target
  const moved = moveIndex(index, press, mock.log.length)
  if (moved !== undefined) return { screen: { type: 'log', selected: mock.log[moved]?.id } }
  switch (press.key ?? press.text) {
    case 'enter':
      return mock.log.length > 0 ? page('details', mock.log[Math.max(0, index)]?.id) : {}
    case 'escape':
      return { screen: log }
    case 'p':
      return openList({ type: 'persona' }, mock)
    // That of the selected request, if there is one.
    case 'f':
      return openList(target ? { type: 'outcome', target, once: false } : { type: 'target' }, mock)
    case 'd':
      return target ? { screen: { type: 'prompt', target, text: '' } } : openList({ type: 'delay' }, mock)
    case 'r':
      return openList({ type: 'reset' }, mock)
    case 'u':
      return { effect: async (controls) => stepText('Undone', await controls.undo()) }
    case 'y':
      return { effect: async (controls) => stepText('Made again', await controls.redo()) }
    case 'w':
      return page('waitlist')
    case 'o':
      return { does: 'open' }
    case '?':
      return page('help')
    case 'q':
      return { does: 'quit' }
  }
  return /^[acelsx]$/.test(press.text ?? '') ? { notice: 'That is on the page: o opens it.' } : {}
}

const stepText = (verb: string, step: Awaited<ReturnType<Controls['undo']>>): string =>
  [describeStep(verb, step), step.warning].filter(Boolean).join(' ')

/** Space and b scroll; arrows do too, but select another request where one is shown. */
function onPage(
  screen: Extract<Screen, { type: 'page' }>,
  press: KeyPress,
  { log: entries }: MockSnapshot,
  { height, rows }: { height: number; rows: number },
): Action {
  const isDetails = screen.page === 'details'
  const index = entries.findIndex(({ id }) => id === screen.id)
  const isScrolling = press.key === 'pageUp' || press.key === 'pageDown'
  const selected = isDetails && !isScrolling ? moveIndex(index, press, entries.length) : undefined
  if (selected !== undefined) return page('details', entries[selected]?.id ?? screen.id)
  const step = scrollStep(press, height - 1)
  if (step !== undefined) {
    return { screen: { ...screen, first: Math.max(0, Math.min(screen.first + step, rows - height)) } }
  }
  if (press.text === 'q') return { does: 'quit' }
  return isDetails && press.text ? {} : { screen: { type: 'log', ...(isDetails && { selected: screen.id }) } }
}

function scrollStep({ key, text }: KeyPress, page: number): number | undefined {
  if (key === 'pageDown' || text === ' ') return page
  if (key === 'pageUp' || text === 'b') return -page
  return key === 'down' ? 1 : key === 'up' ? -1 : undefined
}

function onList(screen: Extract<Screen, { type: 'list' }>, press: KeyPress, mock: MockSnapshot): Action {
  const { list, filter, index } = screen
  const choices = filterChoices(choicesOf(list, mock), filter)
  const moved = reduceListKey({ filter, index }, press, choices.length)
  if (moved) return { screen: { ...screen, ...moved } }
  if (press.key === 'escape')
    return list.type === 'outcome' ? openList({ type: 'target' }, mock) : { screen: log }
  if (press.key === 'tab' && list.type === 'outcome') {
    return { screen: { ...screen, list: { ...list, once: !list.once } } }
  }
  return (press.key === 'enter' && choices[index]) || {}
}

function onPrompt(screen: Extract<Screen, { type: 'prompt' }>, press: KeyPress): Action {
  const { target, text } = screen
  const enter = (entered: string): Action => ({ screen: { type: 'prompt', target, text: entered } })
  if (press.key === undefined) return enter(text + press.text)
  if (press.key === 'clear') return enter('')
  if (press.key === 'backspace') return enter([...text].slice(0, -1).join(''))
  if (press.key === 'escape') return { screen: log }
  if (press.key !== 'enter') return {}
  const ms = text.trim()
  return {
    async effect({ delay }) {
      // An empty text removes the delay.
      await delay.set(ms === '' ? null : ms, target as Parameters<typeof delay.set>[1])
      const name = target ? `delay of ${target}` : 'delay'
      return ms === '' ? `Removed the ${name}.` : `Set the ${name} to ${ms} ms.`
    },
  }
}
