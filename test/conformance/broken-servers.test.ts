import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Mode } from '../../src/conformance/case.js'
import { play } from '../../src/conformance/play.js'
import { cases } from '../../src/conformance/sections.js'
import { proxySend } from './broken-server-proxy.js'
import { brokenServers } from './broken-servers/all.js'
import { type StartedTarget, startDevServer } from './start-dev-server.js'
import { startProduction } from './start-production.js'

// The suite can fail: each of these servers breaks one sentence of the specification, and a case finds it.

let targets: Record<Mode, StartedTarget>
beforeAll(async () => {
  targets = { mock: await startDevServer(), production: await startProduction() }
})
afterEach(() => Promise.all(Object.values(targets).map((target) => target.reset())))
afterAll(() => Promise.all(Object.values(targets ?? {}).map((target) => target.close())))

test('no case fails behind a proxy that changes nothing', async () => {
  const target = { ...targets.mock, send: proxySend(targets.mock, (request, send) => send(request)) }
  for (const testCase of cases.filter(({ mode }) => mode !== 'production'))
    expect(await play(target, testCase), testCase.title).toEqual({})
})

test.each(brokenServers)('finds that $name', async ({ caughtBy, behave, mode: own }) => {
  const mode: Mode = own ?? 'mock'
  const testCase = cases.find(({ title }) => title === caughtBy)
  if (!testCase) throw new Error(`There is no case "${caughtBy}"`)
  expect(testCase.mode ?? mode).toBe(mode)
  const target = targets[mode]
  const { failure } = await play({ ...target, send: proxySend(target, behave(target)) }, testCase)
  expect(failure).toBeDefined()
})
