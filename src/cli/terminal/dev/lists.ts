import { STATUS_CODES } from 'node:http'
import { messageOf, statusOf } from '../../../mock/engine/forced-text.js'
import { defaultTimes, limitText } from '../../../mock/state/limit-words.js'
import { createList, type Item } from '../list.js'
import type { DevScreen, Workbench } from './dev-screen.js'
import { personaText, scenarioText } from './mock-snapshot.js'

/** Enter calls `choose`, which changes the mock and returns a sentence that reports the change. */
type Choice = Item & { choose(): Promise<string> }

type List = {
  title(): string
  choices(text: string): Choice[]
  tabHint?(): string
  onTab?(): void
}

function listScreen(bench: Workbench, { title, choices, tabHint, onTab }: List): DevScreen {
  const list = createList(choices)
  return {
    view: (size) => list.view(title(), size),
    hints: () => ({
      ...{ '↑↓': 'move', Enter: 'select', ...(tabHint && { Tab: tabHint() }) },
      ...{ letters: 'filter', Esc: 'back', 'Ctrl+C': 'quit' },
    }),
    press(press) {
      if (list.press(press)) return
      if (press.key === 'escape') bench.openLog()
      else if (press.key === 'tab') onTab?.()
      else if (press.key === 'enter') bench.run(() => list.selected()?.choose())
    },
  }
}

export const personaList = (bench: Workbench): DevScreen =>
  listScreen(bench, {
    title: () => 'Persona',
    choices: () =>
      bench.mock().sessions.sessions.map((persona) => ({
        label: persona.id,
        hint: persona.note ?? personaText(persona),
        isCurrent: persona.id === bench.mock().sessions.active,
        choose: () => bench.perform('useSession', { id: persona.id }),
      })),
  })

export const resetList = (bench: Workbench): DevScreen =>
  listScreen(bench, {
    title: () => 'Reset the mock?',
    choices: () => [
      {
        label: 'reset',
        hint: 'restores fixtures, persona, delay and clock; clears forced outcomes',
        choose: () => bench.perform('reset'),
      },
    ],
  })

/** Delays of all responses or of a target: common values, or the entered one. */
export function delayList(bench: Workbench, target?: string): DevScreen {
  const choice = (ms: string | null): Choice => ({
    label: ms === null ? 'none' : `${ms} ms`,
    hint: '',
    choose: () => bench.perform('setDelay', { ms, target }),
  })
  return listScreen(bench, {
    title: () => `Delay of ${target ?? 'everything'}, or enter milliseconds: 300, or 200-800`,
    choices: (text) =>
      text ? [choice(text)] : [null, '100', '500', '2000', '200-800'].map((ms) => choice(ms)),
  })
}

/** The outcomes of all targets or of one, forced outcomes first. Tab switches between the next request and until cleared. */
export function outcomeList(bench: Workbench, only?: string): DevScreen {
  let times: number | null = defaultTimes
  const other = () => (times === null ? defaultTimes : null)
  const clear = (target?: string) => () => bench.perform('clearScenarios', { target })
  return listScreen(bench, {
    title: () => `Force ${only ?? 'an outcome'}, ${limitText({ times })}`,
    choices() {
      const mock = bench.mock()
      const isShown = ({ target }: { target: string }) => only === undefined || target === only
      const forced = mock.scenarios.filter(isShown).map((scenario) => ({
        label: scenarioText(scenario),
        hint: 'forced now: Enter clears it',
        isCurrent: true,
        choose: clear(scenario.target),
      }))
      const all = { label: 'nothing', hint: 'clear everything that is forced', choose: clear(only) }
      const named = mock.named.map(([target, hint]) => {
        return { label: target, hint, choose: () => bench.perform('setScenario', { target }) }
      })
      const outcomes = mock.targets.filter(isShown).flatMap(({ target, outcomes }) =>
        outcomes.map((outcome) => ({
          label: only ? String(outcome) : `${target} ${outcome}`,
          hint: outcomeHint(String(outcome)),
          choose: () => bench.perform('setScenario', { target, outcome, times }),
        })),
      )
      return [...forced, ...(forced.length > 1 ? [all] : []), ...outcomes, ...(only ? [] : named)]
    },
    tabHint: () => limitText({ times: other() }),
    onTab() {
      times = other()
    },
  })
}

const outcomeHint = (outcome: string): string =>
  [statusOf(outcome), messageOf(outcome) ?? STATUS_CODES[outcome]].filter(Boolean).join('  ')
