import type { PossibleScenarios } from '../core/controls.js'
import { forcedText } from '../core/forced-text.js'
import type { Scenario } from '../core/scenarios.js'
import { button, element, optionsOf, type PanelPart, type RunControl } from './panel-dom.js'
import type { PanelMock } from './panel-mock.js'

/** A form to force an outcome or to start a named scenario, and the list of those that are set. */
export function outcomeChoice(
  { scenarios }: Pick<PanelMock, 'scenarios'>,
  run: RunControl,
  onCount: (count: number) => void,
): PanelPart {
  let possible: PossibleScenarios | undefined
  const target = element('select', { ariaLabel: 'Operation or scenario', onchange: () => showOutcomes() })
  const outcome = element('select', { ariaLabel: 'Outcome' })
  const description = element('small')
  const once = element('input', { type: 'checkbox' })
  const list = element('ul', { ariaLabel: 'Forced', hidden: true })
  const form = element(
    'form',
    {
      ariaLabel: 'Force an outcome',
      onsubmit(event: Event) {
        event.preventDefault()
        // The lists have what is possible; the mock checks it.
        const scenario = {
          target: target.value,
          ...(!outcome.hidden && { outcome: outcome.value }),
          ...(once.checked && { times: 1 }),
        } as Scenario
        void run(() => scenarios.set(scenario))
      },
    },
    target,
    element('label', { className: 'check' }, once, 'once'),
    outcome,
    description,
    element('button', { type: 'submit' }, 'Force'),
  )

  function showOutcomes(): void {
    const operations: Record<string, readonly string[]> = possible?.operations ?? {}
    const named: Record<string, string> = possible?.named ?? {}
    const outcomes = operations[target.value]
    outcome.hidden = !outcomes
    outcome.replaceChildren(...optionsOf(outcomes ?? []))
    description.hidden = !outcome.hidden
    description.textContent = named[target.value] ?? ''
  }
  const clear = (name: string) =>
    run(async () => {
      await scenarios.clear(name)
      // The button that has the focus is removed.
      target.focus()
    })
  const itemOf = (scenario: Scenario) =>
    element(
      'li',
      {},
      element('span', {}, describeScenario(scenario)),
      button('Clear', () => clear(scenario.target), { ariaLabel: `Clear ${scenario.target}` }),
    )
  let shown = '[]'

  return {
    node: element('section', { ariaLabel: 'Outcomes' }, element('h3', {}, 'Outcomes'), form, list),
    async refresh() {
      if (!possible) {
        possible = await scenarios.possible()
        target.replaceChildren(
          element('optgroup', { label: 'Operations' }, ...optionsOf(Object.keys(possible.operations))),
          element('optgroup', { label: 'Scenarios' }, ...optionsOf(Object.keys(possible.named))),
        )
        showOutcomes()
      }
      const all = await scenarios.list()
      onCount(all.length)
      if (JSON.stringify(all) === shown) return
      shown = JSON.stringify(all)
      list.hidden = all.length === 0
      list.replaceChildren(...all.map(itemOf))
    },
  }
}

function describeScenario(scenario: Scenario): string {
  const { target, times, session } = scenario
  const limits = [times && `${times} left`, session && `for ${session}`].filter(Boolean)
  return [[target, forcedText(scenario)].filter(Boolean).join(' '), ...limits].join(', ')
}
