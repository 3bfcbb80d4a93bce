import type { BatchQuery, Key } from './batch-queries.js'
import type { Connection, Value } from './connection.js'
import { createQueue } from './queue.js'

/** The keys that wait for a look-up, each once, and what will be found for each. */
type Waiting = { places: Map<string, number>; keys: Key[]; found: Promise<unknown[][]> }

/** One connection that reads. */
export function createReader(handle: Connection) {
  const inTurn = createQueue()
  const waiting = new Map<BatchQuery<unknown>, Waiting>()

  const begin = (lookup: BatchQuery<unknown>): Waiting => {
    const keys: Key[] = []
    const found = inTurn(async () => {
      waiting.delete(lookup)
      const rows = await handle.all<{ at: number; found: string }>(lookup.sql, JSON.stringify(keys))
      const ofKeys: unknown[][] = keys.map(() => [])
      for (const { at, found } of rows) ofKeys[at]?.push(JSON.parse(found))
      return ofKeys
    })
    const begun = { places: new Map(), keys, found }
    waiting.set(lookup, begun)
    return begun
  }

  return {
    all: <Row>(sql: string, ...values: Value[]): Promise<Row[]> =>
      inTurn(() => handle.all<Row>(sql, ...values)),
    /**
     * What a look-up finds for a key. All that wait for their turn with the same look-up are one query, which begins
     * after each of them asked. Who asks for the same key is given the same, and nobody changes it.
     */
    async find<Found>(lookup: BatchQuery<Found>, key: Key): Promise<Found[]> {
      const { places, keys, found } = waiting.get(lookup) ?? begin(lookup)
      const name = JSON.stringify(key)
      const place = places.get(name) ?? keys.push(key) - 1
      places.set(name, place)
      return (await found)[place] as Found[]
    },
    close: (): Promise<void> => inTurn(() => handle.close()),
  }
}
