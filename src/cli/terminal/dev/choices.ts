import { errors } from '../../../contract/errors.js'
import { type OperationName, operationNames, operations } from '../../../contract/operations.js'
import { profileText } from '../../../mock/core/forced-text.js'
import type { OperationOutcome } from '../../../mock/core/outcomes.js'
import type { Scenario, ScenarioName } from '../../../mock/core/scenarios.js'
import type { PickerChoice } from '../views/picker.js'
import type { Effect } from './effect.js'
import type { MockSnapshot } from './mock-snapshot.js'
import { type List, listScreen, promptScreen, type Screen } from './screens.js'
import { forcedTexts, personaText, scenariosText } from './texts.js'

/** The result of a key: another screen, an effect, or nothing. */
export type Action = { screen?: Screen; effect?: Effect }

/** A line of a list, and its action on Enter. */
export type Choice = PickerChoice & Action

export function choicesOf(list: List, mock: MockSnapshot): Choice[] {
  switch (list.type) {
    case 'persona':
      return mock.sessions.sessions.map((persona) => ({
        label: persona.id,
        hint: persona.note ?? personaText(persona),
        isCurrent: persona.id === mock.sessions.active,
        effect: { type: 'use', id: persona.id },
      }))
    case 'target':
      return [
        ...clearChoices(mock),
        ...operationNames.map((name) => operationChoice(name, mock)),
        ...namedScenarioChoices(mock),
      ]
    case 'outcome': {
      const { target, once } = list
      const outcomes = mock.possible.operations[target].map((outcome) => ({
        label: outcome,
        hint: outcomeHint(outcome),
        isCurrent: mock.scenarios.some((forced) => forced.target === target && forced.outcome === outcome),
        effect: {
          type: 'force',
          scenario: { target, outcome, ...(once && { times: 1 }) } as Scenario,
        } as const,
      }))
      return [...outcomes, responseChoice(list, mock)]
    }
    case 'delay':
      return [undefined, ...operationNames].map((operation) => ({
        label: operation ?? 'all operations',
        hint: operation ? delayHint(mock.delay.operations[operation]) : `${mock.delay.all} ms`,
        screen: promptScreen({ type: 'delay', operation }),
      }))
    case 'chaos':
      return [undefined, ...operationNames].map((operation) => {
        const profile = operation ? mock.chaos.operations[operation] : mock.chaos.all
        const none = operation ? 'as all operations' : 'nothing'
        return {
          label: operation ?? 'all operations',
          hint: profile ? profileText(profile) : none,
          isCurrent: profile !== undefined,
          screen: promptScreen({ type: 'chaos', operation }),
        }
      })
    case 'snapshot':
      return mock.snapshots.map((name) => ({
        label: name,
        hint: 'replaces the current state',
        effect: { type: 'load', name },
      }))
    case 'reset':
      return [
        {
          label: 'reset',
          hint: 'restores fixtures, persona, delay and clock, and clears what is forced',
          effect: { type: 'reset' },
        },
        { label: 'cancel', hint: 'changes nothing', screen: { type: 'log' } },
      ]
  }
}

/** The screen of a list, with the current choice selected. */
export const openList = (list: List, mock: MockSnapshot): Screen => {
  const current = choicesOf(list, mock).findIndex(({ isCurrent }) => isCurrent)
  return listScreen(list, Math.max(0, current))
}

function clearChoices(mock: MockSnapshot): Choice[] {
  const forced = forcedTexts(mock)
  return forced === '' ? [] : [{ label: 'nothing', hint: `clear ${forced}`, effect: { type: 'clear' } }]
}

const responseChoice = (
  { target, once }: Extract<List, { type: 'outcome' }>,
  { scenarios }: MockSnapshot,
): Choice => ({
  label: "a response of one's own",
  hint: 'a JSON file, or JSON that is entered',
  isCurrent: scenarios.some((scenario) => scenario.target === target && scenario.response),
  screen: promptScreen({ type: 'response', target, once, unchecked: false }),
})

function operationChoice(target: OperationName, { scenarios }: MockSnapshot): Choice {
  const forced = scenarios.filter((scenario) => scenario.target === target)
  const { method, path } = operations[target]
  return {
    label: target,
    hint: forced.length > 0 ? scenariosText(forced) : `${method} ${path}`,
    isCurrent: forced.length > 0,
    screen: listScreen({ type: 'outcome', target, once: false }),
  }
}

/** Enter starts a named scenario, or ends it if it is active. */
const namedScenarioChoices = ({ possible, scenarios }: MockSnapshot): Choice[] =>
  (Object.entries(possible.named) as [ScenarioName, string][]).map(([target, hint]) => {
    const isCurrent = scenarios.some((scenario) => scenario.target === target)
    const effect: Effect = isCurrent ? { type: 'clear', target } : { type: 'force', scenario: { target } }
    return { label: target, hint, isCurrent, effect }
  })

function outcomeHint(outcome: OperationOutcome): string {
  if (outcome === 'drop') return 'closes the connection'
  if (outcome === 'hang') return 'sends nothing until the client gives up'
  return `${errors[outcome].status}  ${errors[outcome].message}`
}

const delayHint = (ms: string | undefined): string => (ms === undefined ? 'as all operations' : `${ms} ms`)
