import { type StateCounts, stateKinds, zeroCounts } from '../state-file.js'
import type { Connection } from './connection.js'

/** How many records of each kind a database has. */
export async function countRecords(handle: Connection): Promise<StateCounts> {
  const counts = zeroCounts()
  for (const kind of stateKinds) {
    const [row] = await handle.all<{ records: number }>(`SELECT count(*) AS records FROM ${kind}`)
    counts[kind] = row?.records ?? 0
  }
  return counts
}
