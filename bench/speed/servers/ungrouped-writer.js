// The store's writer, called with one write at a time, so that each write is a commit of its own.
import { createWriter as createGroupingWriter } from '../../../dist/store/sqlite/writer.js'

export * from '../../../dist/store/sqlite/writer.js'

let isUsed = false
export const wasUsed = () => isUsed

export function createWriter(...args) {
  isUsed = true
  const writer = createGroupingWriter(...args)
  let last = Promise.resolve()
  const oneAtATime =
    (method) =>
    (...write) => {
      const result = last.then(() => method(...write))
      last = result.catch(() => {})
      return result
    }
  return { ...writer, write: oneAtATime(writer.write), run: oneAtATime(writer.run) }
}
