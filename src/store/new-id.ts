import { randomUUID } from 'node:crypto'
import { uuidV7 } from '../contract/uuid.js'

let last = 0
let count = 0

/** Makes a UUID of version 7, greater than all earlier ones of this process, whatever the clock does. */
export function newId(): string {
  const now = Date.now()
  if (now > last + count / 4096) {
    last = now
    count = 0
  } else count += 1
  // The end of a random UUID has the variant and random bits.
  return uuidV7(last, count, randomUUID().slice(19))
}
