// The writer of the store, given one write at a time: each is then a commit of its own.
import { createQueue } from '../../../dist/store/sqlite/queue.js'
import { createWriter as createGrouping } from '../../../dist/store/sqlite/writer.js'

export * from '../../../dist/store/sqlite/writer.js'

let isUsed = false
export const wasUsed = () => isUsed

export function createWriter(...args) {
  isUsed = true
  const writer = createGrouping(...args)
  const inTurn = createQueue()
  return {
    ...writer,
    write: (...write) => inTurn(() => writer.write(...write)),
    run: (...write) => inTurn(() => writer.run(...write)),
  }
}
