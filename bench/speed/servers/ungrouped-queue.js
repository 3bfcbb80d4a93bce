// The write queue of the store, which receives one write at a time, so that each is a separate commit.
import { createWriteQueue as createGroupingQueue } from '../../../dist/store/sql/write-queue.js'

export * from '../../../dist/store/sql/write-queue.js'

let isUsed = false
export const wasUsed = () => isUsed

export function createWriteQueue(options) {
  isUsed = true
  const queue = createGroupingQueue(options)
  let last = Promise.resolve()
  const add = (...write) => {
    const result = last.then(() => queue.add(...write))
    last = result.catch(() => {})
    return result
  }
  return { ...queue, add }
}
