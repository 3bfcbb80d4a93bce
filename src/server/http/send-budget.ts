import type { ServerResponse } from 'node:http'
import { onceClosed } from './once-closed.js'

/** Bodies up to this length, in bytes, are not counted. */
const smallBytes = 1024 * 1024

export type SendBudget = {
  /**
   * Counts a body until its response is sent, or its client is gone. A body that several responses share counts once.
   * @param owner whose data it shows
   * @returns false if the owner, or all together, would have too much in memory
   */
  admit(body: Buffer, owner: string, response: ServerResponse): boolean
}

/**
 * Bounds the large bodies that wait for clients to read them. Each client that does not read could otherwise hold
 * another version of a long list.
 * @param maxBytes of one owner; all together may have four times as much
 */
export function createSendBudget(maxBytes: number): SendBudget {
  const bodies = new Map<Buffer, number>()
  const bytesOf = new Map<string, number>()
  let total = 0

  const count = (owner: string, bytes: number) => {
    total += bytes
    const sum = (bytesOf.get(owner) ?? 0) + bytes
    if (sum > 0) bytesOf.set(owner, sum)
    else bytesOf.delete(owner)
  }

  return {
    admit(body, owner, response) {
      const { length } = body
      if (length <= smallBytes) return true
      const responses = bodies.get(body) ?? 0
      if (responses === 0) {
        const isTooMuch = (bytesOf.get(owner) ?? 0) + length > maxBytes || total + length > 4 * maxBytes
        // The first body of an owner is always sent, however long it is.
        if (isTooMuch && bytesOf.has(owner)) return false
        count(owner, length)
      }
      bodies.set(body, responses + 1)

      onceClosed(response, response.req.socket, () => {
        const left = (bodies.get(body) ?? 1) - 1
        if (left > 0) bodies.set(body, left)
        else {
          bodies.delete(body)
          count(owner, -length)
        }
      })
      return true
    },
  }
}
