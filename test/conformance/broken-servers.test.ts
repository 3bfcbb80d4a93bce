import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Mode } from '../../src/conformance/cases/case.js'
import { cases } from '../../src/conformance/cases/cases.js'
import type { Target } from '../../src/conformance/runner/target.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { startProduction } from '../http-suite/start-production.js'
import { brokenServers } from './broken-servers/all.js'
import { firstFailure } from './run-broken.js'

// The suite can fail: it finds servers that break one sentence of the specification each.

let targets: Record<Mode, Target>
beforeAll(async () => {
  targets = { mock: await startDevServer(), production: await startProduction() }
})
afterEach(() => Promise.all(Object.values(targets).map((target) => target.reset())))
afterAll(() => Promise.all(Object.values(targets ?? {}).map((target) => target.close())))

test('no case fails without a fault, also if all of them are one group', async () => {
  const ofMock = cases.filter(({ mode = 'mock' }) => mode === 'mock')
  expect(await firstFailure(targets.mock, ofMock, (request, send) => send(request))).toBeUndefined()
})

test.each(brokenServers)('finds that $name', async (server) => {
  const { caughtBy, behave } = server
  const mode: Mode = server.mode ?? 'mock'
  const chosen = cases.filter(
    (testCase) =>
      (testCase.mode ?? mode) === mode && caughtBy.test(`${testCase.title} (${testCase.requirement})`),
  )
  const found = await firstFailure(targets[mode], chosen, behave(targets[mode]))
  // A case is to blame the service; a refusal to start would blame the cookies.
  expect(found).toEqual(expect.not.stringMatching(/^does not start/))
  expect([...chosen.map(({ title }) => title), ...otherFindings]).toContain(found)
})

/** Findings of a run that are no cases. */
const otherFindings = [
  'The callers and their projects can be read',
  'The teams are prepared for the cases that write',
  'The pages that errors link to open and are about their codes',
]
