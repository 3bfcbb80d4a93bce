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
const ending = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'))
const refusal = message('E', Buffer.from('SERROR\0C53300\0Mno\0\0'))

/** A server that sends the given responses, and never closes the connection. */
async function startServer(toLogin: Buffer[], toStatement: Buffer[] = []) {
  const sockets: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket.on('error', () => {}))
    socket.once('data', () => {
      socket.write(Buffer.concat(toLogin))
      socket.once('data', () => socket.write(Buffer.concat(toStatement)))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/d`
}

test.each([
  ['refuses the first statement', [authenticated, ready], [refusal, ready]],
  ['ends the session with the login, as an administrator does', [authenticated, ready, ending], []],
  ['refuses the login', [refusal], []],
])('a server that %s, and goes silent, leads to an error within the time limit', async (_, ...answers) => {
  const db = openPostgres(addressOf(await startServer(...answers)), { timeoutMs: 200 })
  const calls = [db.read('SELECT 1'), db.transaction(async () => {})]
  for (const call of await Promise.allSettled(calls)) {
    expect(call).toMatchObject({ reason: expect.any(StoreUnavailableError) })
  }
})
