import type { Persona } from '../../../mock/core/controls.js'
import type { Scenario } from '../../../mock/core/scenarios.js'
import type { MockSnapshot } from './mock-snapshot.js'

/** What is forced, e.g. `createProject PROJECT_NAME_TAKEN, once, for acme-viewer`. */
export const forcedText = ({ target, outcome, times, session }: Scenario): string =>
  [
    [target, outcome].filter(Boolean).join(' '),
    times === undefined ? '' : times === 1 ? 'once' : `${times} times`,
    session && `for ${session}`,
  ]
    .filter(Boolean)
    .join(', ')

/** How long answers wait. */
export function delayText({ delay: { all, operations } }: MockSnapshot): string {
  const single = Object.entries(operations).map(([name, ms]) => `${name} ${ms} ms`)
  return [all === '0' ? 'none' : `${all} ms`, ...single].join(' · ')
}

/** What time it is there. */
export const clockText = ({ clock: { mode, now } }: MockSnapshot): string =>
  mode === 'real' ? 'real time' : mode === 'fixed' ? `stands at ${now}` : `ticking, set to ${now}`

/** Who a persona is, in a few words. */
export const personaText = ({ email, role, orgCode }: Persona): string =>
  [email, role, orgCode ?? 'no organisation'].filter(Boolean).join(' · ')

/** Two commands that show what the mock does: a call with a session, and being somebody else. */
export function nextCommands(url: string, { active, sessions }: MockSnapshot['sessions']): string[] {
  const others = sessions.filter(({ id }) => id !== active)
  const other = others.find(({ role }) => role === 'viewer') ?? others[0]
  const at = url === 'http://127.0.0.1:4010' ? '' : ` --url ${url}`
  return [
    `curl -b session=active ${url}/v1/projects`,
    ...(other ? [`npx dashboard-api session use ${other.id}${at}`] : []),
  ]
}
