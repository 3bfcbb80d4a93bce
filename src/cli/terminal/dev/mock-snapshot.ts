import type { ChaosProfiles } from '../../../mock/core/chaos.js'
import type { ClockReading } from '../../../mock/core/clock.js'
import type { Controls, PossibleScenarios, SessionList } from '../../../mock/core/controls.js'
import type { Delay } from '../../../mock/core/delays.js'
import type { LogDetails } from '../../../mock/core/log-details.js'
import type { LogEntry } from '../../../mock/core/request-log.js'
import type { Scenario } from '../../../mock/core/scenarios.js'
import type { DataPage } from './data-table.js'
import type { DataScreen } from './screens.js'

/** The state of a mock, as the screen shows it. */
export type MockSnapshot = {
  url: string
  sessions: SessionList
  scenarios: Scenario[]
  possible: PossibleScenarios
  delay: Delay
  chaos: ChaosProfiles
  clock: ClockReading
  snapshots: string[]
  /** Newest first. */
  log: LogEntry[]
  /** The records that the screen shows last asked for. */
  data?: DataPage
  /** The request whose details were opened last. */
  details?: LogDetails
  /** Shown until the fixture file is corrected. */
  fixtureError?: string
}

export async function readMockSnapshot(
  controls: Controls,
): Promise<Omit<MockSnapshot, 'url' | 'data' | 'details' | 'fixtureError'>> {
  const [sessions, scenarios, possible, delay, chaos, clock, snapshots, log] = await Promise.all([
    controls.sessions.list(),
    controls.scenarios.list(),
    controls.scenarios.possible(),
    controls.delay.get(),
    controls.chaos.get(),
    controls.clock.get(),
    controls.snapshots.list(),
    readLog(controls),
  ])
  return { sessions, scenarios, possible, delay, chaos, clock, snapshots, log }
}

/** Newest first. */
export const readLog = async ({ log }: Controls): Promise<LogEntry[]> => (await log.read()).reverse()

export async function readDataPage({ data }: Controls, screen: DataScreen): Promise<DataPage> {
  const { kind, search, sort } = screen
  return { kind, search, sort, ...(await data.list(kind, { search, ...(sort !== undefined && { sort }) })) }
}
