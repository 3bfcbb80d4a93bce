import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { join } from '../../src/verify/cases/requests.js'
import { send } from '../../src/verify/runner/target.js'
import { call } from './sequences.js'
import { startDevServer } from './start-dev-server.js'
import { startInterceptor } from './start-interceptor.js'
import { startProduction } from './start-production.js'
import { startWorker } from './start-worker.js'
import { type ComparedTarget, transcript } from './transcript.js'

// The mock, wherever it runs, and production are given the same calls, and have to answer alike at each of them.

/** PARITY_RUNS asks for more sequences, PARITY_SEED for those that a failure has printed the seed of. */
const { PARITY_RUNS, PARITY_SEED } = process.env

describe.each([
  { name: 'the dev server', start: startDevServer, usual: 60 },
  { name: 'MSW in Node', start: startInterceptor, usual: 30 },
  { name: 'the worker in a page', start: startWorker, usual: 20 },
])('$name and production', ({ start, usual }) => {
  const numRuns = Number(PARITY_RUNS ?? usual)
  let mock: ComparedTarget
  let production: ComparedTarget
  beforeAll(async () => {
    production = await startProduction()
    mock = await start()
  })
  beforeEach(() => Promise.all([mock.reset(), production.reset()]))
  afterAll(() => Promise.all([mock?.close(), production?.close()]))

  test('answer any sequence of calls alike', { timeout: 30_000 + numRuns * 1000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
        await Promise.all([mock.reset(), production.reset()])
        const [ofMock, ofProduction] = await Promise.all([
          transcript(mock, calls),
          transcript(production, calls),
        ])
        for (const [i, { what }] of calls.entries())
          expect(ofProduction.answers[i], what).toEqual(ofMock.answers[i])
        expect(ofProduction.stored).toEqual(ofMock.stored)
      }),
      { numRuns, ...(PARITY_SEED !== undefined && { seed: Number(PARITY_SEED) }) },
    )
  })

  test('store a sign-up once, trimmed and in lower case (section 4.5)', async () => {
    for (const side of [mock, production]) {
      for (const email of [' Ada@Example.COM\n', 'ada@example.com', 'ADA@example.com'])
        await send(side, join({ email }))
      const added = (await side.stored()).waitlist
        .map(({ email }) => email)
        .filter((email) => /ada/i.test(email))
      expect(added).toEqual(['ada@example.com'])
    }
  })
})
