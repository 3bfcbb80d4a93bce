import { expect, test } from 'vitest'
import { explainError } from '../../src/cli/explain-error.js'
import { StoreUnavailableError } from '../../src/store/store.js'

test.each([
  ['SQLITE_FULL', 'Its disk is full'],
  ['53100', 'Its disk is full'],
  ['SQLITE_READONLY', 'the rights of this user'],
  ['SQLITE_IOERR', 'Check whether its disk is full'],
  ['SQLITE_BUSY_SNAPSHOT', 'database vacuum'],
  ['42501', 'the rights of its user'],
  ['SQLITE_BUSY', 'Another process may be using it'],
  ['ECONNREFUSED', 'Check that the server runs'],
  ['ENOTLS', 'without TLS: sslmode=disable'],
])('a database that is unavailable with %s leads to a suitable hint', (code, hint) => {
  const error = new StoreUnavailableError('away', { cause: Object.assign(new Error('away'), { code }) })
  expect(explainError(error)).toMatchObject({ exitCode: 1, hint: expect.stringContaining(hint) })
})
