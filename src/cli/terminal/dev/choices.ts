import { errors } from '../../../contract/errors.js'
import { type OperationName, operationNames, operations } from '../../../contract/operations.js'
import type { Outcome } from '../../../mock/core/outcomes.js'
import type { ScenarioName } from '../../../mock/core/scenarios.js'
import type { Effect } from './effect.js'
import type { MockSnapshot } from './mock-snapshot.js'
import { type List, listOf, questionOf, type Screen } from './screens.js'
import { forcedText, personaText } from './texts.js'

/** One line of a list, and what Enter does on it. */
export type Choice = {
  label: string
  hint: string
  /** It is what holds at the moment. */
  isCurrent?: boolean
  leads: { go: Screen } | { effect: Effect }
}

/** What can be chosen from a list. */
export function choicesOf(list: List, facts: MockSnapshot): Choice[] {
  switch (list.of) {
    case 'persona':
      return facts.sessions.sessions.map((persona) => ({
        label: persona.id,
        hint: persona.note ?? personaText(persona),
        isCurrent: persona.id === facts.sessions.active,
        leads: { effect: { do: 'use', id: persona.id } },
      }))
    case 'target':
      return [...clearing(facts), ...operationNames.map((name) => forcing(name, facts)), ...named(facts)]
    case 'outcome':
      return facts.possible.operations[list.target].map((outcome) => ({
        label: outcome,
        hint: outcomeHint(outcome),
        isCurrent: facts.scenarios.some(
          (forced) => forced.target === list.target && forced.outcome === outcome,
        ),
        leads: {
          effect: { do: 'force', scenario: { target: list.target, outcome, ...(list.once && { times: 1 }) } },
        },
      }))
    case 'delayed':
      return [undefined, ...operationNames].map((operation) => ({
        label: operation ?? 'every operation',
        hint: operation ? delayHint(facts.delay.operations[operation]) : `${facts.delay.all} ms`,
        leads: { go: questionOf({ of: 'delay', operation }) },
      }))
    case 'snapshot':
      return facts.snapshots.map((name) => ({
        label: name,
        hint: 'return to this state',
        leads: { effect: { do: 'load', name } },
      }))
    case 'reset':
      return [
        {
          label: 'reset',
          hint: 'fixtures, persona, delay and clock of the beginning; nothing forced',
          leads: { effect: { do: 'reset' } },
        },
        { label: 'keep everything', hint: 'go back', leads: { go: { is: 'log' } } },
      ]
  }
}

/** Where a list opens: at what holds at the moment. */
export const openedAt = (list: List, facts: MockSnapshot): Screen =>
  listOf(
    list,
    Math.max(
      0,
      choicesOf(list, facts).findIndex(({ isCurrent }) => isCurrent),
    ),
  )

const clearing = ({ scenarios }: MockSnapshot): Choice[] =>
  scenarios.length === 0
    ? []
    : [
        {
          label: 'nothing',
          hint: `end what is forced: ${scenarios.map(forcedText).join(' · ')}`,
          leads: { effect: { do: 'clear' } },
        },
      ]

function forcing(target: OperationName, facts: MockSnapshot): Choice {
  const forced = facts.scenarios.filter((scenario) => scenario.target === target)
  const { method, path } = operations[target]
  return {
    label: target,
    hint: forced.length > 0 ? forced.map(forcedText).join(' · ') : `${method} ${path}`,
    isCurrent: forced.length > 0,
    leads: { go: listOf({ of: 'outcome', target, once: false }) },
  }
}

/** Named scenarios are begun by the key that ends them. */
const named = ({ possible, scenarios }: MockSnapshot): Choice[] =>
  (Object.entries(possible.named) as [ScenarioName, string][]).map(([target, does]) => {
    const isCurrent = scenarios.some((scenario) => scenario.target === target)
    return {
      label: target,
      hint: does,
      isCurrent,
      leads: { effect: isCurrent ? { do: 'clear', target } : { do: 'force', scenario: { target } } },
    }
  })

function outcomeHint(outcome: Outcome): string {
  if (outcome === 'drop') return 'the connection breaks'
  if (outcome === 'hang') return 'no answer until the client gives up'
  return `${errors[outcome].status}  ${errors[outcome].message}`
}

const delayHint = (ms: string | undefined): string => (ms === undefined ? 'as every operation' : `${ms} ms`)
