/**
 * A query for many keys at once. Its only parameter is a JSON array of the keys. Each row has in `at` the index of its
 * key, and in `found` the record as JSON, because parsing JSON costs less than the driver's object for a row.
 */
export type BatchQuery<Row> = { sql: string; readonly row?: Row }

/** A string, or several that are one key together. */
export type Key = string | string[]

/** Runs queries that wait for their turn. */
type DeferringConnection = {
  /** Runs a statement with values that are computed when its turn comes. */
  allDeferred<Row>(sql: string, values: () => string[]): Promise<Row[]>
}

/** A query in the connection's queue: its distinct keys, and the rows that each will get. */
type PendingQuery = { indexes: Map<string, number>; keys: Key[]; rowsByKey: Promise<unknown[][]> }

export type ReadByKey = <Row>(query: BatchQuery<Row>, key: Key) => Promise<Row[]>

/**
 * Reads by key. Calls with the same query that wait for the connection become one query, which starts after all of
 * them. Callers with equal keys share one result, which none of them may change.
 * @param options.isSingle a query has one key only, so that one large result is in memory at a time
 */
export function createBatchReader(connection: DeferringConnection, { isSingle = false } = {}): ReadByKey {
  const pending = new Map<string, PendingQuery>()

  const enqueue = (id: string, query: BatchQuery<unknown>): PendingQuery => {
    const keys: Key[] = []
    const takeKeys = () => {
      pending.delete(id)
      return [JSON.stringify(keys)]
    }
    const rowsByKey = connection
      .allDeferred<{ at: number; found: string }>(query.sql, takeKeys)
      .then((rows) => {
        const grouped: unknown[][] = keys.map(() => [])
        for (const { at, found } of rows) grouped[at]?.push(JSON.parse(found))
        return grouped
      })
    const added = { indexes: new Map(), keys, rowsByKey }
    pending.set(id, added)
    return added
  }

  return async <Row>(query: BatchQuery<Row>, key: Key) => {
    const name = JSON.stringify(key)
    const id = isSingle ? `${query.sql}\n${name}` : query.sql
    const { indexes, keys, rowsByKey } = pending.get(id) ?? enqueue(id, query)
    const index = indexes.get(name) ?? keys.push(key) - 1
    indexes.set(name, index)
    return (await rowsByKey)[index] as Row[]
  }
}
