import type { ClockReading } from '../../../mock/core/clock.js'
import type { Controls, PossibleScenarios, SessionList } from '../../../mock/core/controls.js'
import type { Delay } from '../../../mock/core/delays.js'
import type { LogEntry } from '../../../mock/core/request-log.js'
import type { Scenario } from '../../../mock/core/scenarios.js'

/** What is so at the mock at the moment, and shown. */
export type MockSnapshot = {
  url: string
  sessions: SessionList
  scenarios: Scenario[]
  possible: PossibleScenarios
  delay: Delay
  clock: ClockReading
  snapshots: string[]
  /** The latest first. */
  log: LogEntry[]
  /** What the reader has to know until it is mended, e.g. that the fixture file is wrong. */
  problem?: string
}

/** Asks a mock for everything that its controls tell. */
export async function readMockSnapshot(controls: Controls): Promise<Omit<MockSnapshot, 'url' | 'problem'>> {
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

export const readLog = async ({ log }: Controls): Promise<LogEntry[]> => (await log.read()).reverse()
