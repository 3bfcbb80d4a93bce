import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errors } from '../../../contract/errors.js'
import type { Scenario } from '../../../mock/core/scenarios.js'
import { pluralize } from '../../output/pluralize.js'
import type { PickerChoice } from '../views/picker.js'
import { delayText, type MockSnapshot, personaText, scenarioText } from './mock-snapshot.js'
import type { Action, Effect, List } from './screen-types.js'

/** A line of a list, and its action on Enter. */
export type Choice = PickerChoice & Action

export function choicesOf(list: List, mock: MockSnapshot): Choice[] {
  switch (list.type) {
    case 'persona':
      return mock.sessions.sessions.map((persona) => ({
        label: persona.id,
        hint: persona.note ?? personaText(persona),
        isCurrent: persona.id === mock.sessions.active,
        effect: async ({ sessions }) => {
          await sessions.use(persona.id)
          return `session=active now stands for ${persona.id}.`
        },
      }))
    case 'target':
      return [...clearChoice(mock), ...targetChoices(mock), ...namedChoices(mock)]
    case 'outcome':
      return outcomeChoices(list, mock)
    case 'delay':
      return [undefined, ...mock.targets].map((row) => ({
        label: row?.target ?? 'everything',
        hint: row
          ? ((mock.delay.operations as Record<string, string>)[row.target]?.concat(' ms') ?? '')
          : delayText(mock.delay),
        screen: { type: 'prompt', target: row?.target, text: '' },
      }))
    case 'reset':
      return [
        {
          label: 'reset',
          hint: 'restores fixtures, persona, delay and clock, and clears what is forced',
          effect: async (controls) => {
            await controls.reset()
            return 'The mock was reset.'
          },
        },
        { label: 'cancel', hint: 'changes nothing', screen: { type: 'log' } },
      ]
  }
}

const clear =
  (target?: string): Effect =>
  async ({ scenarios }) => {
    await scenarios.clear(target)
    return `Nothing is forced${target ? ` on ${target}` : ''}.`
  }
const force =
  (scenario: Scenario): Effect =>
  async ({ scenarios }) => {
    await scenarios.set(scenario)
    return `Forced: ${scenarioText(scenario)}.`
  }

const clearChoice = ({ scenarios }: MockSnapshot): Choice[] =>
  scenarios.length === 0
    ? []
    : [{ label: 'nothing', hint: `clear ${scenarios.map(scenarioText).join(' · ')}`, effect: clear() }]

/** What is forced comes first. */
const targetChoices = ({ targets, scenarios }: MockSnapshot): Choice[] =>
  targets
    .map(({ target, kind, method, path, hits }): Choice => {
      const place = [kind === 'operation' ? `${method} ${path}` : kind, pluralize(hits, 'request')].join(
        ' · ',
      )
      const forced = scenarios.filter((scenario) => scenario.target === target)
      return {
        label: target,
        hint: forced.map(scenarioText).join(' · ') || place,
        isCurrent: forced.length > 0,
        screen: { type: 'list', list: { type: 'outcome', target, once: false }, filter: '', index: 0 },
      }
    })
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))

/** Enter starts a named scenario, or ends it if it is active. */
const namedChoices = ({ named, scenarios }: MockSnapshot): Choice[] =>
  named.map(([target, hint]) => {
    const isCurrent = scenarios.some((scenario) => scenario.target === target)
    return {
      label: target,
      hint,
      isCurrent,
      effect: isCurrent ? clear(target) : force({ target } as Scenario),
    }
  })

function outcomeChoices({ target, once }: Extract<List, { type: 'outcome' }>, mock: MockSnapshot): Choice[] {
  const forced = mock.scenarios.filter((scenario) => scenario.target === target)
  const outcomes = mock.targets.find((row) => row.target === target)?.outcomes ?? []
  const none: Choice = { label: 'nothing', hint: 'clear what is forced', effect: clear(target) }
  return [
    ...(forced.length > 0 ? [none] : []),
    ...outcomes.map(String).map((outcome) => ({
      label: outcome,
      hint: hints[outcome] ?? errorHint(outcome),
      isCurrent: forced.some((scenario) => String(scenario.outcome) === outcome),
      effect: force({ target, outcome, ...(once && { times: 1 }) } as Scenario),
    })),
  ]
}

const hints: Record<string, string> = {
  drop: 'closes the connection',
  hang: 'sends nothing until the client gives up',
}
function errorHint(outcome: string): string {
  const { status, message } = errors[outcome as ErrorCode] ?? {}
  return status === undefined ? (STATUS_CODES[outcome] ?? '') : `${status}  ${message}`
}
