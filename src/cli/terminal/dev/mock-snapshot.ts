import type { ClockReading } from '../../../mock/core/clock.js'
import type { Controls, PossibleScenarios, SessionList } from '../../../mock/core/controls.js'
import type { Delay } from '../../../mock/core/delays.js'
import type { LogEntry } from '../../../mock/core/request-log.js'
import type { Scenario } from '../../../mock/core/scenarios.js'

/** The state of a mock, as the screen shows it. */
export type MockSnapshot = {
  url: string
  sessions: SessionList
  scenarios: Scenario[]
  possible: PossibleScenarios
  delay: Delay
  clock: ClockReading
  snapshots: string[]
  /** Newest first. */
  log: LogEntry[]
  /** Shown until the fixture file is corrected. */
  fixtureError?: string
}

export async function readMockSnapshot(
  controls: Controls,
): Promise<Omit<MockSnapshot, 'url' | 'fixtureError'>> {
  const [sessions, scenarios, possible, delay, clock, snapshots, log] = await Promise.all([
    controls.sessions.list(),
    controls.scenarios.list(),
    controls.scenarios.possible(),
    controls.delay.get(),
    controls.clock.get(),
    controls.snapshots.list(),
    readLog(controls),
  ])
  return { sessions, scenarios, possible, delay, clock, snapshots, log }
}

/** Newest first. */
export const readLog = async ({ log }: Controls): Promise<LogEntry[]> => (await log.read()).reverse()
