import { noRecords, type StateCounts, stateKinds } from '../state.js'
import type { Handle } from './handle.js'

/** How many records of each kind a database has. */
export async function countRecords(handle: Handle): Promise<StateCounts> {
  const counts = noRecords()
  for (const kind of stateKinds) {
    const [row] = await handle.all<{ records: number }>(`SELECT count(*) AS records FROM ${kind}`)
    counts[kind] = row?.records ?? 0
  }
  return counts
}
