// The store's queue of writes, given one write at a time, so that each write is a commit of its own.
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
