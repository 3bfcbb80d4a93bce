import { foundRecord } from '../../../src/mock/surfaces/box/found-record.js'
import type { BoxContext } from '../../../src/mock/surfaces/box/suggestion.js'
import { stateKinds } from '../../../src/store/state-file.js'
import type { Controls } from './surface-suite.js'

/** What the page and the terminal give to the box. */
export async function boxContextOf(controls: Controls): Promise<BoxContext> {
  const { sessions, active } = await controls.sessions.list()
  const records = await Promise.all(
    stateKinds.map(async (kind) =>
      (await controls.data.list(kind)).records.map((record) => foundRecord(kind, record)),
    ),
  )
  return {
    targets: await controls.targets.list(),
    personas: sessions,
    ...(active !== undefined && { you: active }),
    entries: await controls.log.read(),
    scenarios: await controls.scenarios.list(),
    named: (await controls.scenarios.possible()).named,
    snapshots: await controls.snapshots.list(),
    records: records.flat(),
    history: await controls.history(),
  }
}
