import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Shorter bodies are not counted, in bytes. */
const smallBytes = 1024 * 1024

/**
 * Limits the large bodies that wait for clients to read them: each slow client could hold another version of a long list.
 * @param maxBytes the limit of one owner; all owners together may have four times as much
 */
export function createSendBudget(maxBytes: number) {
  const held = new Map<Buffer, { owner: string; responses: number }>()
  // A sum over few entries: only large bodies are counted.
  const bytesHeld = (by?: string) =>
    [...held].reduce(
      (sum, [body, { owner }]) => (by === undefined || owner === by ? sum + body.length : sum),
      0,
    )

  return {
    /**
     * Counts a body until its response is sent, or its client is gone. Responses that share a body count it once.
     * @param owner the team or session of the body
     * @returns false if the owner, or all owners together, would exceed the limit
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
 * Runs a function once, when a response is sent or its connection ends; at once if the client is gone. Watches the socket
 * too: a pipelined response that has not begun emits no event when its connection ends.
 */
function onceClosed(response: ServerResponse, socket: Socket, run: () => void): void {
  if (response.destroyed || socket.destroyed) return void run()
  const close = () => {
    response.off('close', close)
    socket.off('close', close)
    run()
  }
  response.once('close', close)
  // More than ten responses may be pending, beyond which Node would warn.
  socket.setMaxListeners(0).once('close', close)
}
