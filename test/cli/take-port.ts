import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server that is not a mock on a free port, and returns the port. */
export async function takePort(type = 'text/plain', body = 'something else'): Promise<number> {
  return listenOnFreePort(createServer((_, response) => response.setHeader('content-type', type).end(body)))
}

/** Starts a server on a free port until the test ends, and returns the port. */
export async function listenOnFreePort(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
