import { expect, test } from 'vitest'
import { explainError } from '../../src/cli/explain-error.js'
import { StoreUnavailableError } from '../../src/store/store.js'

test.each([
  ['SQLITE_FULL', 'Its disk is full'],
  ['53100', 'Its disk is full'],
  ['SQLITE_READONLY', 'the rights of this user'],
  ['SQLITE_IOERR', 'Check whether its disk is full'],
  ['LOG_IN_USE', 'database vacuum'],
  ['42501', 'the rights of its user'],
  ['SQLITE_BUSY', 'Another connection has locked it'],
  ['ECONNREFUSED', 'Check that the server runs'],
  ['ENOTLS', 'without TLS: sslmode=disable'],
])('a database that is unavailable with %s leads to a suitable hint', (code, hint) => {
  const error = new StoreUnavailableError('away', { cause: Object.assign(new Error('away'), { code }) })
  expect(explainError(error)).toMatchObject({ exitCode: 1, hint: expect.stringContaining(hint) })
})

test.each([
  ['a low port', { code: 'EACCES', port: 80 }, 'does not permit listening on 127.0.0.1:80', '1024 or more'],
  ['a reserved port', { code: 'EACCES', port: 5000 }, 'does not permit listening', 'another --port'],
  ['an unknown name', { code: 'ENOTFOUND', hostname: 'lost.example' }, 'no address "lost.example"', '--host'],
  [
    'a look-up without an answer',
    { code: 'EAI_AGAIN', hostname: 'lost.example' },
    'Cannot listen on lost.example (EAI_AGAIN)',
    '--host',
  ],
])('an address that cannot be used leads to what the system said: %s', (_, fields, message, hint) => {
  const error = Object.assign(new Error(), { syscall: 'listen', address: '127.0.0.1', ...fields })
  expect(explainError(error)).toMatchObject({
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  })
})
