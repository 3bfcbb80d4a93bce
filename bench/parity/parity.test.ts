import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startDevServer } from '../../test/http-suite/start-dev-server.js'
import { startInterceptor } from '../../test/http-suite/start-interceptor.js'
import { startPostgresProduction } from '../../test/http-suite/start-postgres-production.js'
import { startProduction } from '../../test/http-suite/start-production.js'
import { startWorker } from '../../test/http-suite/start-worker.js'
import { type Environment, runEverywhere } from './matrix.js'
import { requirementsSection, shortPage } from './page.js'

const pathTo = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

test('the service returns the same responses in every environment', async () => {
  const targets = { mock: await startDevServer(), production: await startProduction() }
  const environments: Environment[] = [
    { name: 'production', target: targets.production, seesCookies: true },
    { name: 'production over PostgreSQL', target: await startPostgresProduction(), seesCookies: true },
    { name: 'dev server', target: targets.mock, seesCookies: true },
    { name: 'Node interceptor', target: await startInterceptor(), seesCookies: true },
    { name: 'worker in a page', target: await startWorker(), seesCookies: false },
  ]
  try {
    const rows = await runEverywhere(environments)
    mkdirSync(pathTo('reports'), { recursive: true })
    const page = shortPage(environments, rows)
    const details = requirementsSection(environments, rows)
    writeFileSync(pathTo('docs/parity.md'), page)
    writeFileSync(pathTo('reports/parity.md'), [page, details].join('\n'))

    const faults = rows.flatMap(({ testCase, outcomes }) =>
      [...outcomes].flatMap(([name, outcome]) =>
        'faults' in outcome ? outcome.faults.map((fault) => `${name}: ${testCase.title}: ${fault}`) : [],
      ),
    )
    expect(faults).toEqual([])
    expect(
      rows
        .filter(({ differing }) => differing.length > 0)
        .map(({ testCase, differing }) => [testCase.title, differing]),
    ).toEqual([])
  } finally {
    for (const { target } of environments) await target.close()
  }
})
