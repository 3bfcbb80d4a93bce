import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Runs a function once, when a response is sent or its connection ends: at once, if its client is gone, since no event
 * follows. A pipelined response that was not begun has no event when its connection ends.
 */
export function onceClosed(response: ServerResponse, socket: Socket, run: () => void): void {
  if (response.destroyed || socket.destroyed) {
    run()
    return
  }
  const close = () => {
    response.off('close', close)
    socket.off('close', close)
    run()
  }
  response.once('close', close)
  // Node warns of more than ten listeners, and more responses than that may be pending.
  socket.setMaxListeners(0).once('close', close)
}
