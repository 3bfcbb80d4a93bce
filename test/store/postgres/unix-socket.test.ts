import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type PostgresAddress, parseDatabaseAddress } from '../../../src/store/database-address.js'
import { askServer } from '../../../src/store/postgres/connection.js'
import { connectionOptions } from '../../../src/store/postgres/connection-options.js'
import { folderForEachTest } from '../sqlite/sqlite-folder.js'

const folder = folderForEachTest()

test.skipIf(process.platform === 'win32')('no TLS is asked for on a socket of this machine', async () => {
  const asked: number[] = []
  const server = createServer((socket) =>
    socket.once('data', (message) => {
      asked.push(message.readInt32BE(4))
      socket.destroy()
    }),
  )
  await new Promise<void>((resolve) => server.listen(join(folder.path(), '.s.PGSQL.5432'), resolve))
  onTestFinished(() => void server.close())
  const address = parseDatabaseAddress(`postgres://u@/d?host=${folder.path()}&sslmode=verify-full`)
  const options = await connectionOptions(address as PostgresAddress, {}, {})
  const [host = { host: '', port: 0 }] = options.hosts
  await expect(askServer(options, host, 5_000)).rejects.toThrow('cannot be used for now')
  // The version of the protocol, and not a request for TLS.
  expect(asked).toEqual([196_608])
})
