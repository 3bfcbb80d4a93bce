import type { Press } from '../key-press.js'
import { filtered, movedTo, onListKey } from '../list-keys.js'
import { choicesOf, openedAt } from './choices.js'
import type { Effect } from './effect.js'
import type { MockSnapshot } from './mock-snapshot.js'
import { back, questionOf, type Screen, type Ui } from './screens.js'

/** What is shown after a key, and what the key makes happen. */
export type Transition = { ui: Ui; effect?: Effect }

type ScreenOf<Is extends Screen['is']> = Extract<Screen, { is: Is }>

/** What a key does: the one place that knows. */
export function reduceKey(ui: Ui, press: Press, facts: MockSnapshot): Transition {
  if (press.key === 'interrupt') return { ui, effect: { do: 'quit' } }
  const { screen } = ui
  switch (screen.is) {
    case 'log':
      return onLog(screen, press, facts)
    case 'details':
      return onDetails(screen, press, facts)
    case 'list':
      return onList(screen, press, facts)
    case 'question':
      return onQuestion(screen, press)
    case 'help':
      return press.key === undefined && press.text === 'q' ? quit(screen) : show({ is: 'log' })
  }
}

/** What is shown once something was done, and where it could not be done. */
export function reduceOutcome(ui: Ui, from: Screen, outcome: { done: string } | { failed: string }): Ui {
  if ('done' in outcome) {
    const screen: Screen = ui.screen === from && from.is !== 'log' ? { is: 'log' } : ui.screen
    return { screen, notice: { tone: 'done', text: outcome.done } }
  }
  if (ui.screen === from && from.is === 'question') {
    return { screen: { ...from, refusal: outcome.failed } }
  }
  return { screen: ui.screen, notice: { tone: 'failed', text: outcome.failed } }
}

const show = (screen: Screen): Transition => ({ ui: { screen } })
const quit = (screen: Screen): Transition => ({ ui: { screen }, effect: { do: 'quit' } })

function onLog(screen: ScreenOf<'log'>, press: Press, facts: MockSnapshot): Transition {
  const at = facts.log.findIndex(({ id }) => id === screen.selected)
  if (press.key === undefined) return onLetter(screen, press.text, facts)
  const moved = movedTo(at, press, facts.log.length)
  if (moved !== undefined) return show({ is: 'log', selected: facts.log[moved]?.id })
  const entry = facts.log[Math.max(0, at)]
  if (press.key === 'enter' && entry) return show({ is: 'details', id: entry.id })
  return show(press.key === 'escape' ? { is: 'log' } : screen)
}

function onLetter(screen: Screen, letter: string, facts: MockSnapshot): Transition {
  switch (letter) {
    case 'p':
      return show(openedAt({ of: 'persona' }, facts))
    case 'f':
      return show(openedAt({ of: 'target' }, facts))
    case 'd':
      return show(openedAt({ of: 'delayed' }, facts))
    case 's':
      return show(questionOf({ of: 'name' }))
    case 'l':
      return show(openedAt({ of: 'snapshot' }, facts))
    case 'r':
      return show(openedAt({ of: 'reset' }, facts))
    case 'o':
      return { ui: { screen }, effect: { do: 'open' } }
    case '?':
      return show({ is: 'help' })
    case 'q':
      return quit(screen)
    default:
      return show(screen)
  }
}

function onDetails(screen: ScreenOf<'details'>, press: Press, { log }: MockSnapshot): Transition {
  if (press.key === undefined) return press.text === 'q' ? quit(screen) : show(screen)
  const at = log.findIndex(({ id }) => id === screen.id)
  const moved = movedTo(at, press, log.length)
  return show(moved === undefined ? back(screen) : { is: 'details', id: log[moved]?.id ?? screen.id })
}

function onList(screen: ScreenOf<'list'>, press: Press, facts: MockSnapshot): Transition {
  const { list, filter, index } = screen
  const choices = filtered(choicesOf(list, facts), filter)
  const moved = onListKey({ filter, index }, press, choices.length)
  if (moved) return show({ ...screen, ...moved })
  if (press.key === 'escape') return show(back(screen))
  if (press.key === 'tab' && list.of === 'outcome') {
    return show({ ...screen, list: { ...list, once: !list.once } })
  }
  const chosen = press.key === 'enter' && choices[index]?.leads
  if (!chosen) return show(screen)
  return 'go' in chosen ? show(chosen.go) : { ui: { screen }, effect: chosen.effect }
}

function onQuestion(screen: ScreenOf<'question'>, press: Press): Transition {
  const { question, text } = screen
  const type = (typed: string) => show({ is: 'question', question, text: typed })
  if (press.key === undefined) return type(text + press.text)
  if (press.key === 'backspace') return type([...text].slice(0, -1).join(''))
  if (press.key === 'escape') return show(back(screen))
  if (press.key !== 'enter') return show(screen)
  const effect: Effect =
    question.of === 'name'
      ? { do: 'save', name: text.trim() }
      : { do: 'delay', ms: text.trim(), operation: question.operation }
  return { ui: { screen }, effect }
}
