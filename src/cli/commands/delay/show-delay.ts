import type { Delay } from '../../../mock/core/delays.js'
import { showTable } from '../../output/output.js'

/** Prints how long answers wait. */
export async function showDelay(data: Delay, json?: boolean): Promise<void> {
  const columns = [
    { title: 'Operation', value: ([name]: [string, string]) => name },
    { title: 'Milliseconds', value: ([, ms]: [string, string]) => ms },
  ]
  const rows: [string, string][] = [['all', data.all], ...Object.entries(data.operations)]
  await showTable({ data, columns, rows, nothing: '' }, json)
}
