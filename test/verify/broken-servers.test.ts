import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimPattern } from '../../bench/parity/broken-servers.js'
import type { Mode } from '../../src/verify/cases/case.js'
import { cases } from '../../src/verify/cases/cases.js'
import type { Target } from '../../src/verify/runner/target.js'
import { startDevServer } from '../http-suite/start-dev-server.js'
import { startProduction } from '../http-suite/start-production.js'
import { type Verdict, verifyChangedResponses, verifyMisbehaviours } from './find-broken.js'
import { misbehaviours } from './misbehaviours.js'
import { requestMutants } from './request-mutants/all.js'
import { firstFailure } from './run-broken.js'

// Servers with one fault each: the verifier must find it, or not-caught.ts must say why it cannot.

let targets: Record<Mode, Target>
beforeAll(async () => {
  targets = { mock: await startDevServer(), production: await startProduction() }
})
afterAll(() => Promise.all(Object.values(targets ?? {}).map((target) => target.close())))

function expectCaught(verdicts: readonly Verdict[]): void {
  const described = ({ mode, name, change, caughtBy, reason }: Verdict) =>
    [mode, name, change, caughtBy && `caught by ${caughtBy}`, reason].filter(Boolean).join(': ')
  const missed = verdicts.filter(({ caughtBy, reason }) => caughtBy === undefined && reason === undefined)
  expect(missed.map(described)).toEqual([])
  // The verifier blames a case, and not the cookies that it was given.
  const refused = verdicts.filter(({ caughtBy }) => caughtBy?.startsWith('does not start'))
  expect(refused.map(described)).toEqual([])
}

test('no case fails without a fault, also if all of them are one group', async () => {
  const ofMock = cases.filter(({ mode = 'mock' }) => mode === 'mock')
  expect(await firstFailure(targets.mock, ofMock, (request, send) => send(request))).toBeUndefined()
  await targets.mock.reset()
})

// A part of them: `npm run parity` runs all.
test.each([
  ['mock', 16, 62],
  ['production', 16, 62],
] as const)('every change of a response of %s is caught by a case', async (mode, every, count) => {
  const verdicts = await verifyChangedResponses(targets[mode], every)
  expectCaught(verdicts)
  expect(verdicts.filter(({ caughtBy }) => caughtBy !== undefined).length).toBeGreaterThan(count)
})

test('every misbehaviour is caught by a case, or cannot be', async () => {
  const verdicts = await verifyMisbehaviours(targets, misbehaviours)
  expectCaught(verdicts)
  expect(verdicts.filter(({ caughtBy, reason }) => caughtBy !== undefined && reason !== undefined)).toEqual(
    [],
  )
  expect(verdicts.filter(({ caughtBy }) => caughtBy !== undefined).length).toBeGreaterThan(100)
})

// A part of them: `npm run parity` runs all.
test('servers that only some requests show to be broken are caught', async () => {
  const verdicts = await verifyMisbehaviours(targets, requestMutants, 96)
  expectCaught(verdicts)
  expect(verdicts.filter(({ caughtBy, reason }) => caughtBy !== undefined && reason !== undefined)).toEqual(
    [],
  )
  expect(verdicts.filter(({ caughtBy }) => caughtBy !== undefined).length).toBeGreaterThan(15)
})

test('their names differ', () => {
  const names = [...misbehaviours, ...requestMutants].map(({ name }) => name)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  expect(requestMutants.length).toBeGreaterThan(800)
})

test('docs/decisions.md and docs/parity.md have the numbers of the same run', () => {
  const claims = ['decisions', 'parity'].map(
    (name) =>
      readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8').match(claimPattern)?.[0],
  )
  expect(claims[0], 'npm run parity writes both').toBe(claims[1])
  expect(claims[0]).toBeDefined()
})
