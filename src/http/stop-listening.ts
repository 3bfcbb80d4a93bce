import { Server as NetServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A longer turn of the event loop, in milliseconds, may leave connections in the queue. */
const shortTurnMs = 1

/**
 * Closes the listening socket of a server and leaves its connections open, while Node's own `close` also closes idle ones.
 * Waits for a turn of the event loop that accepts no connection (a turn accepts at most one): closing the socket resets
 * queued connections, whose clients may have sent a request.
 * @param withinMs the time limit while connections keep coming
 */
export async function stopListening(server: NetServer, withinMs = 2_000): Promise<void> {
  const end = performance.now() + withinMs
  let isQueueEmpty = false
  const onConnection = () => {
    isQueueEmpty = false
  }
  server.on('connection', onConnection)
  // The rest of this turn accepts no connection.
  await nextTurn()
  while (!isQueueEmpty && performance.now() < end) {
    const began = performance.now()
    isQueueEmpty = true
    await nextTurn()
    if (performance.now() - began > shortTurnMs) isQueueEmpty = false
  }
  server.off('connection', onConnection)
  // The documented method of the parent class: `http.Server` also closes idle connections, and has no option for that.
  NetServer.prototype.close.call(server)
}
