import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { noPostgres } from '../store/postgres/postgres-database.js'
import { restorablePostgres } from '../store/postgres/restorable-postgres.js'
import { compareModes } from './compare-modes.js'
import { compareCases, compareSequences } from './compare-requests.js'
import { type Modes, startModes } from './start-modes.js'

// Raw requests and differences that are allowed have nothing to do with the store: parity.test.ts compares them.
describe.skipIf(noPostgres)('the dev server, and production over PostgreSQL', () => {
  let modes: Modes
  let comparison: ReturnType<typeof compareModes>
  beforeAll(async () => {
    modes = await startModes({ openDatabase: restorablePostgres })
    comparison = compareModes(modes)
  })
  beforeEach(() => comparison.reset())
  afterAll(async () => {
    await comparison?.close()
    await modes?.close()
  })

  test('answer the cases of the conformance suite alike', async () => {
    expect((await compareCases(comparison)).join('\n\n')).toBe('')
  })

  test('answer generated sequences alike, and store the same', async () => {
    await compareSequences(modes, comparison, 20)
  })
})
