import type { Scenario } from '../../../mock/core/scenarios.js'
import { showTable } from '../../output/output.js'

/** Prints what is forced. */
export async function showForced(forced: Scenario[], json?: boolean): Promise<void> {
  const columns = [
    { title: 'Operation', value: ({ target }: Scenario) => target },
    { title: 'Outcome', value: ({ outcome }: Scenario) => outcome },
    { title: 'Times', value: ({ times }: Scenario) => times?.toString() },
    { title: 'Session', value: ({ session }: Scenario) => session },
  ]
  await showTable({ data: forced, columns, rows: forced, nothing: 'Nothing is forced.' }, json)
}
