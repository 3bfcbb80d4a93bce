import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bodies up to this length, in bytes, are not counted. */
const smallBytes = 1024 * 1024

/**
 * Bounds the large bodies that wait for clients to read them. Each client that does not read could otherwise hold
 * another version of a long list.
 * @param maxBytes of one owner; all together may have four times as much
 */
export function createSendBudget(maxBytes: number) {
  const held = new Map<Buffer, { owner: string; responses: number }>()
  // As few as are large.
  const bytesHeld = (by?: string) =>
    [...held].reduce(
      (sum, [body, { owner }]) => (by === undefined || owner === by ? sum + body.length : sum),
      0,
    )

  return {
    /**
     * Counts a body until its response is sent, or its client is gone. A body that several responses share counts once.
     * @param owner whose data it shows
     * @returns false if the owner, or all together, would have too much in memory
     */
    admit(body: Buffer, owner: string, response: ServerResponse): boolean {
      if (body.length <= smallBytes) return true
      const entry = held.get(body) ?? { owner, responses: 0 }
      if (entry.responses === 0) {
        const own = bytesHeld(owner)
        const isTooMuch = own + body.length > maxBytes || bytesHeld() + body.length > 4 * maxBytes
        // The first body of an owner is always sent, however long it is.
        if (isTooMuch && own > 0) return false
      }
      held.set(body, entry)
      entry.responses += 1
      onceClosed(response, response.req.socket, () => {
        entry.responses -= 1
        if (entry.responses === 0) held.delete(body)
      })
      return true
    },
  }
}

/**
 * Runs a function once, when a response is sent or its connection ends: at once, if its client is gone, since no event
 * follows. A pipelined response that was not begun has no event when its connection ends.
 */
function onceClosed(response: ServerResponse, socket: Socket, run: () => void): void {
  if (response.destroyed || socket.destroyed) return void run()
  const close = () => {
    response.off('close', close)
    socket.off('close', close)
    run()
  }
  response.once('close', close)
  // Node warns of more than ten listeners, and more responses than that may be pending.
  socket.setMaxListeners(0).once('close', close)
}
