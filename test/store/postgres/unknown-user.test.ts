import { expect, test, vi } from 'vitest'
import { type PostgresAddress, parseDatabaseAddress } from '../../../src/store/database-address.js'
import { connectionOptions } from '../../../src/store/postgres/connection-options.js'
import { readPassword } from '../../../src/store/postgres/read-password.js'

// As in a container that runs under an id of its own choice, without HOME.
vi.mock('node:os', async (load) => {
  const unknown = () => {
    throw new Error('A system error occurred: no such file or directory')
  }
  return { ...(await load<object>()), userInfo: unknown, homedir: unknown }
})

const optionsOf = (address: string) =>
  connectionOptions(parseDatabaseAddress(address) as PostgresAddress, {}, {})

test('an address has to name the user where the one of the process has no name', async () => {
  await expect(optionsOf('postgres://db/dash')).rejects.toMatchObject({
    name: 'DatabaseRefusedError',
    message: expect.stringContaining('Name one in the address, or in PGUSER'),
  })
  expect(await optionsOf('postgres://ada@db')).toMatchObject({ user: 'ada', database: 'ada' })
})

test('a user without a home has no password file', async () => {
  const login = { host: 'db', port: 5432, database: 'dash', user: 'ada' }
  expect(await readPassword(login, { env: {} })).toBeUndefined()
})
