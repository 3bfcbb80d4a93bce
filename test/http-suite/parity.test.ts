import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { join } from '../../src/conformance/cases/steps.js'
import { noPostgres } from '../store/postgres/postgres-database.js'
import { call } from './sequences.js'
import { startInterceptor } from './start-interceptor.js'
import { startPostgresProduction } from './start-postgres-production.js'
import { startProduction } from './start-production.js'
import { startWorker } from './start-worker.js'
import { type ComparedTarget, sendByFetch, transcript } from './transcript.js'

// The mock in a page and in Node, and production over both databases, get the same calls and must return the same
// responses. test/parity compares the dev server with production.

/** PARITY_RUNS sets the number of sequences, PARITY_SEED the seed, which a failure prints. */
const { PARITY_RUNS, PARITY_SEED } = process.env

describe.each([
  { name: 'MSW in Node', start: startInterceptor, defaultRuns: 30 },
  { name: 'the worker in a page', start: startWorker, defaultRuns: 20 },
  ...(noPostgres
    ? []
    : [{ name: 'production over PostgreSQL', start: startPostgresProduction, defaultRuns: 20 }]),
])('$name and production', ({ start, defaultRuns }) => {
  const numRuns = Number(PARITY_RUNS ?? defaultRuns)
  let other: ComparedTarget
  let production: ComparedTarget
  beforeAll(async () => {
    production = await startProduction()
    other = await start()
  })
  beforeEach(() => Promise.all([other.reset(), production.reset()]))
  afterAll(() => Promise.all([other?.close(), production?.close()]))

  test('return the same responses to any sequence of calls', {
    timeout: 240_000 + numRuns * 1000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), async (calls) => {
        await Promise.all([other.reset(), production.reset()])
        const [ofOther, ofProduction] = await Promise.all([
          transcript(other, calls),
          transcript(production, calls),
        ])
        for (const [i, { description }] of calls.entries())
          expect(ofProduction.responses[i], description).toEqual(ofOther.responses[i])
        expect(ofProduction.stored).toEqual(ofOther.stored)
      }),
      { numRuns, ...(PARITY_SEED !== undefined && { seed: Number(PARITY_SEED) }) },
    )
  })

  test('store a sign-up once, trimmed and lower-cased (section 4.5)', async () => {
    for (const target of [other, production]) {
      for (const email of [' Ada@Example.COM\n', 'ada@example.com', 'ADA@example.com'])
        await sendByFetch(target, join({ email }))
      const added = (await target.stored()).waitlist
        .map(({ email }) => email)
        .filter((email) => /ada/i.test(email))
      expect(added).toEqual(['ada@example.com'])
    }
  })
})
