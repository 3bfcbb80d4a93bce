import type { Handle, Value } from './handle.js'
import { createQueue } from './queue.js'

/**
 * One connection that reads. Who asks what is waiting for its turn already is given the same rows, for they are of
 * a time after both questions. Nobody changes rows.
 */
export function createReader(handle: Handle) {
  const inTurn = createQueue()
  const waiting = new Map<string, Promise<unknown[]>>()

  return {
    all<Row>(sql: string, ...values: Value[]): Promise<Row[]> {
      const key = JSON.stringify([sql, ...values])
      const asked = waiting.get(key)
      if (asked !== undefined) return asked as Promise<Row[]>
      const rows = inTurn(() => {
        waiting.delete(key)
        return handle.all<Row>(sql, ...values)
      })
      waiting.set(key, rows)
      return rows
    },
    close: (): Promise<void> => inTurn(() => handle.close()),
  }
}
