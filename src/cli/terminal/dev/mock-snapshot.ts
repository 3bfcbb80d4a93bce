import type { Controls } from '../../../mock/controls/controls.js'
import type { SessionList } from '../../../mock/controls/persona-controls.js'
import type { Delay } from '../../../mock/engine/delays.js'
import { chaosTexts, forcedText } from '../../../mock/engine/forced-text.js'
import type { Scenario } from '../../../mock/engine/scenarios.js'
import type { LogEntry } from '../../../mock/log/log-entry.js'
import { limitText } from '../../../mock/state/limit-words.js'
import type { Persona } from '../../../mock/state/listed-personas.js'
import { shellQuote } from '../../../pages/shell-quote.js'
import type { WaitlistEntry } from '../../../store/state-file.js'

/** The state of a mock for the screen. `fixtureError` is set until the fixture file is correct again. */
export type MockSnapshot = Awaited<ReturnType<typeof readMockSnapshot>> & {
  url: string
  fixtureError?: string | undefined
}

/** @param log the log of the last snapshot: only later requests are read */
export async function readMockSnapshot(controls: Controls, log: LogEntry[] = []) {
  const [sessions, targets, { named }, scenarios, delay, chaos, clock, { records }, [oldest], latest] =
    await Promise.all([
      controls.sessions.list(),
      controls.targets.list(),
      controls.scenarios.possible(),
      controls.scenarios.list(),
      controls.delay.get(),
      controls.chaos.get(),
      controls.clock.get(),
      controls.data.list('waitlist'),
      controls.log.read({ since: 0, limit: 1 }),
      controls.log.read({ since: log[0]?.id }),
    ])
  return {
    sessions,
    scenarios,
    delay,
    /** Targets that have had requests come first. */
    targets: targets.sort((a, b) => Number(b.hits > 0) - Number(a.hits > 0)),
    /** Named scenarios with their descriptions. */
    named: Object.entries(named),
    /** Chaos and a changed clock, which this screen cannot set. */
    others: [...chaosTexts(chaos), ...(clock.mode === 'real' ? [] : [`clock ${clock.mode} at ${clock.now}`])],
    /** Newest first, like the log. */
    waitlist: (records as WaitlistEntry[]).reverse(),
    log: [...latest.reverse(), ...log.filter(({ id }) => oldest && id >= oldest.id)],
  }
}

/** E.g. `createProject PROJECT_NAME_TAKEN, next request, for acme-viewer`. */
export const scenarioText = (scenario: Scenario): string =>
  `${[scenario.target, forcedText(scenario)].filter(Boolean).join(' ')}, ${limitText(scenario)}`

/** E.g. `200-800 ms · getSession 300 ms`; empty without a delay. */
export function delayText({ all, operations }: Delay): string {
  const others = Object.entries(operations).map(([name, ms]) => `${name} ${ms} ms`)
  return [...(all === '0' ? [] : [`${all} ms`]), ...others].join(' · ')
}

/** E.g. `ada@acme.example · owner · org_acme`. */
export const personaText = ({ email, role, orgCode }: Persona): string =>
  [email, role, orgCode ?? 'no organisation'].filter(Boolean).join(' · ')

/** The three steps that the page of the mock and the README begin with, each with its line. */
export function firstSteps(url: string, { active, sessions }: SessionList): string[] {
  const others = sessions.filter(({ id }) => id !== active)
  const other = others.find(({ role }) => role === 'viewer') ?? others[0]
  return [
    '1 Send a first request, and one as another persona:',
    `  curl -b session=active ${shellQuote(`${url}/v1/projects`)}`,
    ...(other ? [`  npx dashboard-api session use ${shellQuote(other.id)}${urlFlag(url)}`] : []),
    '2 Connect your front end, in vite.config.ts:',
    `  server: { proxy: { '/v1': '${url}' } }`,
    '3 Break it on purpose, for the next request:',
    `  npx dashboard-api mock scenario set createProject PROJECT_NAME_TAKEN --times 1${urlFlag(url)}`,
  ]
}

/** The option that selects the mock at `url`; empty for the default address. */
export const urlFlag = (url: string): string =>
  url === 'http://localhost:4010' ? '' : ` --url ${shellQuote(url)}`
