import { type StateCounts, stateKinds, zeroCounts } from '../state-file.js'
import type { Connection } from './connection.js'

/** Counts the records of each kind. */
export async function countRecords(connection: Connection): Promise<StateCounts> {
  const counts = zeroCounts()
  for (const kind of stateKinds) {
    const [row] = await connection.all<{ records: number }>(`SELECT count(*) AS records FROM ${kind}`)
    counts[kind] = row?.records ?? 0
  }
  return counts
}
