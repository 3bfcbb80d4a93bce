import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A turn of the event loop that took longer, in milliseconds, may have left connections in the queue. */
const shortTurnMs = 1

/**
 * Closes the listening socket of a server, and leaves its connections open: Node's own `close` also closes those that are
 * idle. Waits for a turn of the event loop that accepts no connection (a turn accepts one at most): the system resets those
 * that wait to be accepted when the socket is closed, and their clients may have sent a request already.
 * @param withinMs how long it may take where connections keep coming
 */
export async function stopListening(server: Server, withinMs = 2_000): Promise<void> {
  const end = performance.now() + withinMs
  let isQueueEmpty = false
  const onConnection = () => {
    isQueueEmpty = false
  }
  server.on('connection', onConnection)
  // What is left of this turn accepts nothing.
  await nextTurn()
  while (!isQueueEmpty && performance.now() < end) {
    const began = performance.now()
    isQueueEmpty = true
    await nextTurn()
    if (performance.now() - began > shortTurnMs) isQueueEmpty = false
  }
  server.off('connection', onConnection)
  NetServer.prototype.close.call(server)
}
