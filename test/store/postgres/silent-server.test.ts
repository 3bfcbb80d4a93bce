import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/store/postgres/postgres-database.js'
import { StoreUnavailableError } from '../../../src/store/store.js'
import { addressOf } from './postgres-database.js'

const message = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
const authenticated = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const refusal = message('E', Buffer.from('SERROR\0C53300\0Mno\0\0'))

/** A server that lets a client in, refuses its first statement, and never ends the connection. */
async function startSilentServer() {
  const sockets: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket.on('error', () => {}))
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticated, ready]))
      socket.once('data', () => socket.write(Buffer.concat([refusal, ready])))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/d`
}

test('a server that does not end a refused connection leads to an error within the time limit', async () => {
  const db = openPostgres(addressOf(await startSilentServer()), { timeoutMs: 200 })
  const calls = [db.read('SELECT 1'), db.transaction(async () => {})]
  for (const call of await Promise.allSettled(calls)) {
    expect(call).toMatchObject({ reason: expect.any(StoreUnavailableError) })
  }
})
