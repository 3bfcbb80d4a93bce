import { v7 } from 'uuid'

/** For how many ids random bytes are asked for at once: asking for those of one takes longer than making it. */
const idsAtOnce = 256
const bytesOfId = 16

/** Creates the function that makes ids: UUIDs of version 7, each greater than those before it. */
export function createNewIds(now: () => number = Date.now): () => string {
  const pool = new Uint8Array(idsAtOnce * bytesOfId)
  let offset = pool.length
  let msecs = 0
  let seq = 0
  return () => {
    if (offset === pool.length) {
      crypto.getRandomValues(pool)
      offset = 0
    }
    const random = pool.subarray(offset, offset + bytesOfId)
    offset += bytesOfId
    const time = now()
    if (time > msecs) {
      msecs = time
      // Half of the range is left to count up in.
      seq = new DataView(pool.buffer, random.byteOffset).getUint32(0) >>> 1
    } else seq += 1
    return v7({ msecs, seq, random })
  }
}
