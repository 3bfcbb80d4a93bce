import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/store/postgres/postgres-database.js'
import { folderForEachTest } from '../sqlite/sqlite-folder.js'
import { addressOf } from './postgres-database.js'

const folder = folderForEachTest()

test.skipIf(process.platform === 'win32')('no TLS is requested on a Unix socket', async () => {
  const asked: number[] = []
  const server = createServer((socket) =>
    socket.once('data', (message) => {
      asked.push(message.readInt32BE(4))
      socket.destroy()
    }),
  )
  await new Promise<void>((resolve) => server.listen(join(folder.path(), '.s.PGSQL.5432'), resolve))
  onTestFinished(() => void server.close())
  const address = addressOf(`postgres://u@/d?host=${folder.path()}&sslmode=verify-full`)
  await expect(openPostgres(address, {}).read('SELECT 1')).rejects.toThrow('cannot be used for now')
  // The version of the protocol, instead of a request for TLS.
  expect(asked).toEqual([196_608])
})
