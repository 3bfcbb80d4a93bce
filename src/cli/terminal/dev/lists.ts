import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errors } from '../../../contract/errors.js'
import type { Scenario } from '../../../mock/engine/scenarios.js'
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
        async choose() {
          await bench.controls.sessions.use(persona.id)
          return `session=active now stands for ${persona.id}.`
        },
      })),
  })

export const resetList = (bench: Workbench): DevScreen =>
  listScreen(bench, {
    title: () => 'Reset the mock?',
    choices: () => [
      {
        label: 'reset',
        hint: 'restores fixtures, persona, delay and clock; clears forced outcomes',
        async choose() {
          await bench.controls.reset()
          return 'The mock was reset.'
        },
      },
    ],
  })

/** Delays of all responses or of a target: common values, or the entered one. */
export function delayList(bench: Workbench, target?: string): DevScreen {
  const { delay } = bench.controls
  const name = target ? `delay of ${target}` : 'delay'
  const choice = (ms: string | null): Choice => ({
    label: ms === null ? 'none' : `${ms} ms`,
    hint: '',
    async choose() {
      await delay.set(ms, target as Parameters<typeof delay.set>[1])
      return ms === null ? `Removed the ${name}.` : `Set the ${name} to ${ms} ms.`
    },
  })
  return listScreen(bench, {
    title: () => `Delay of ${target ?? 'everything'}, or enter milliseconds: 300, or 200-800`,
    choices: (text) =>
      text ? [choice(text)] : [null, '100', '500', '2000', '200-800'].map((ms) => choice(ms)),
  })
}

/** The outcomes of all targets or of one, forced outcomes first. Tab switches between once and until cleared. */
export function outcomeList(bench: Workbench, only?: string): DevScreen {
  const { scenarios } = bench.controls
  let isOnce = false
  const force = (scenario: Scenario) => async () => {
    await scenarios.set(scenario)
    return `Forced: ${scenarioText(scenario)}.`
  }
  const clear = (target?: string) => async () => {
    await scenarios.clear(target)
    return `Nothing is forced${target ? ` on ${target}` : ''}.`
  }
  return listScreen(bench, {
    title: () => `Force ${only ?? 'an outcome'}, ${isOnce ? 'once' : 'until cleared'}`,
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
        return { label: target, hint, choose: force({ target } as Scenario) }
      })
      const outcomes = mock.targets.filter(isShown).flatMap(({ target, outcomes }) =>
        outcomes.map((outcome) => ({
          label: only ? String(outcome) : `${target} ${outcome}`,
          hint: outcomeHint(String(outcome)),
          choose: () => force({ target, outcome, ...(isOnce && { times: 1 }) } as Scenario)(),
        })),
      )
      return [...forced, ...(forced.length > 1 ? [all] : []), ...outcomes, ...(only ? [] : named)]
    },
    tabHint: () => (isOnce ? 'until cleared' : 'once'),
    onTab() {
      isOnce = !isOnce
    },
  })
}

function outcomeHint(outcome: string): string {
  if (outcome === 'drop') return 'closes the connection'
  if (outcome === 'hang') return 'sends nothing until the client gives up'
  const { status, message } = errors[outcome as ErrorCode] ?? {}
  return status === undefined ? (STATUS_CODES[outcome] ?? '') : `${status}  ${message}`
}
