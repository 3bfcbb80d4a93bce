import type { Persona } from '../../../mock/core/controls.js'
import { chaosTexts, forcedText } from '../../../mock/core/forced-text.js'
import type { Scenario } from '../../../mock/core/scenarios.js'
import type { MockSnapshot } from './mock-snapshot.js'
import type { List } from './screens.js'

export function listTitle(list: List): string {
  switch (list.type) {
    case 'persona':
      return 'Select a persona'
    case 'target':
      return 'Select an operation or a scenario'
    case 'outcome':
      return `Select an outcome of ${list.target}, ${list.once ? 'once' : 'until cleared'}`
    case 'delay':
      return 'Select what to delay'
    case 'chaos':
      return 'Select what fails at random'
    case 'snapshot':
      return 'Select a snapshot to load'
    case 'reset':
      return 'Reset the mock?'
  }
}

/** E.g. `createProject PROJECT_NAME_TAKEN, once, for acme-viewer`. */
export function scenarioText(scenario: Scenario): string {
  const { target, times, session } = scenario
  return [
    [target, forcedText(scenario)].filter(Boolean).join(' '),
    times === undefined ? '' : times === 1 ? 'once' : `${times} times`,
    session && `for ${session}`,
  ]
    .filter(Boolean)
    .join(', ')
}

export const scenariosText = (scenarios: Scenario[]): string => scenarios.map(scenarioText).join(' · ')

/** Everything that is forced: scenarios and chaos. */
export const forcedTexts = ({ scenarios, chaos }: MockSnapshot): string =>
  [...scenarios.map(scenarioText), ...chaosTexts(chaos)].join(' · ')

/** E.g. `200-800 ms · getSession 300 ms`. */
export function delayText({ delay: { all, operations } }: MockSnapshot): string {
  const byOperation = Object.entries(operations).map(([name, ms]) => `${name} ${ms} ms`)
  return [all === '0' ? 'none' : `${all} ms`, ...byOperation].join(' · ')
}

export const clockText = ({ clock: { mode, now } }: MockSnapshot): string =>
  mode === 'real' ? 'real time' : mode === 'fixed' ? `fixed at ${now}` : `ticking, set to ${now}`

/** E.g. `ada@acme.example · owner · org_acme`. */
export const personaText = ({ email, role, orgCode }: Persona): string =>
  [email, role, orgCode ?? 'no organisation'].filter(Boolean).join(' · ')

/** The option that selects the mock at `url`; empty for the default address. */
export const urlOption = (url: string): string => (url === 'http://127.0.0.1:4010' ? '' : ` --url ${url}`)

/** Two commands to begin with: a request with a session, and selecting another persona. */
export function nextCommands(url: string, { active, sessions }: MockSnapshot['sessions']): string[] {
  const others = sessions.filter(({ id }) => id !== active)
  const other = others.find(({ role }) => role === 'viewer') ?? others[0]
  return [
    `curl -b session=active ${url}/v1/projects`,
    ...(other ? [`npx dashboard-api session use ${other.id}${urlOption(url)}`] : []),
  ]
}
