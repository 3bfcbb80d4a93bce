import { errors } from '../../contract/errors.js'
import type { ChaosProfile, ChaosProfiles } from './chaos.js'
import type { Outcome } from './outcomes.js'
import type { Scenario } from './scenarios.js'

/** The outcome of a scenario, or e.g. `response 200`; undefined for a named scenario. */
export const forcedText = ({ outcome, response }: Scenario): string | undefined =>
  response ? `${response.unchecked ? 'unchecked ' : ''}response ${response.status}` : outcome?.toString()

/** E.g. `10 % fail, 200-2000 ms, seed 7`. */
const profileText = ({ errorRate, delay, seed, outcomes }: ChaosProfile): string =>
  [
    errorRate > 0 &&
      `${Number((errorRate * 100).toPrecision(6))} % fail${areDefault(outcomes) ? '' : ` with ${outcomes.join(', ')}`}`,
    delay && `${delay} ms`,
    `seed ${seed}`,
  ]
    .filter(Boolean)
    .join(', ')

const areDefault = (outcomes: readonly Outcome[]) => outcomes.join() === 'INTERNAL_ERROR,SERVICE_UNAVAILABLE'

/** The active chaos, e.g. `chaos: 10 % fail, seed 7`, `chaos of createProject: 200 ms, seed 8`. */
export const chaosTexts = ({ all, operations }: ChaosProfiles): string[] => [
  ...(all ? [`chaos: ${profileText(all)}`] : []),
  ...Object.entries(operations).map(([name, profile]) => `chaos of ${name}: ${profileText(profile)}`),
]

/** The status of an outcome; undefined for `drop` and `hang`. */
export const statusOf = (outcome: Outcome | string): number | undefined =>
  typeof outcome === 'number' ? outcome : errors[outcome as keyof typeof errors]?.status

/** E.g. `409 PROJECT_NAME_TAKEN`, `503`, `drop`. */
export function outcomeText(outcome: Outcome | string): string {
  const status = statusOf(outcome)
  return status === undefined || status === outcome ? String(outcome) : `${status} ${outcome}`
}

export const messageOf = (outcome: Outcome | string): string | undefined =>
  outcome === 'drop'
    ? 'The connection breaks.'
    : outcome === 'hang'
      ? 'There is no response.'
      : errors[outcome as keyof typeof errors]?.message
