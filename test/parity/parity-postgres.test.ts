import { describe, onTestFinished, test } from 'vitest'
import { noPostgres } from '../store/postgres/postgres-database.js'
import { restorablePostgres } from '../store/postgres/restorable-postgres.js'
import { compareModes } from './compare-modes.js'
import { compareSequences } from './compare-requests.js'
import { startModes } from './start-modes.js'

// test/conformance runs the cases over PostgreSQL, and parity.test.ts compares them.
describe.skipIf(noPostgres)('the dev server, and production over PostgreSQL', () => {
  test('answer generated sequences identically, and store the same records', async () => {
    const modes = await startModes({ openDatabase: restorablePostgres })
    onTestFinished(modes.close)
    await compareSequences(modes, compareModes(modes), 20)
  })
})
