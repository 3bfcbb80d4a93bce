import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startDevServer } from '../../test/http-suite/start-dev-server.js'
import { startInterceptor } from '../../test/http-suite/start-interceptor.js'
import { startProduction } from '../../test/http-suite/start-production.js'
import { startWorker } from '../../test/http-suite/start-worker.js'
import { type Environment, runEverywhere, sequencesEverywhere } from './matrix.js'
import { parityPage } from './page.js'

const page = fileURLToPath(new URL('../../docs/parity.md', import.meta.url))
/** PARITY_RUNS asks for more sequences, PARITY_SEED for others. */
const { PARITY_RUNS: runs = '100', PARITY_SEED: seed = '1' } = process.env

test('the service is the same wherever it runs', async () => {
  const places: Environment[] = [
    { name: 'production', side: await startProduction(), seesCookies: true },
    { name: 'dev server', side: await startDevServer(), seesCookies: true },
    { name: 'Node interceptor', side: await startInterceptor(), seesCookies: true },
    { name: 'worker in a page', side: await startWorker(), seesCookies: false },
  ]
  try {
    const rows = await runEverywhere(places)
    const sequences = await sequencesEverywhere(places, Number(runs), Number(seed))
    writeFileSync(page, parityPage(places, rows, sequences))

    const faults = rows.flatMap(({ one, played }) =>
      [...played].flatMap(([name, outcome]) =>
        'faults' in outcome ? outcome.faults.map((fault) => `${name}: ${one.title}: ${fault}`) : [],
      ),
    )
    expect(faults).toEqual([])
    expect(
      rows.filter(({ unlike }) => unlike.length > 0).map(({ one, unlike }) => [one.title, unlike]),
    ).toEqual([])
    expect(sequences.unlike).toEqual([])
  } finally {
    for (const { side } of places) await side.close()
  }
})
