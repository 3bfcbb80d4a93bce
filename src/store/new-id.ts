import { randomUUID } from 'node:crypto'
import { uuidV7 } from '../contract/uuid.js'

let last = 0
let count = 0

/** Makes a UUID of version 7, greater than those before it in this process, whatever the clock does. */
export function newId(): string {
  const now = Date.now()
  if (now > last + count / 4096) {
    last = now
    count = 0
  } else count += 1
  // A random UUID ends as every UUID does: with the variant and random bits.
  return uuidV7(last, count, randomUUID().slice(19))
}
