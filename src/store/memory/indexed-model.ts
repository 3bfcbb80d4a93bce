/** The methods of an @mswjs/data model that are used. */
type Model<Row> = {
  create(row: Partial<Row>): Row
  getAll(): Row[]
}

/**
 * Adds indexes to a model of @mswjs/data. The library holds the records, but scans all of them for every query.
 * @param discard removes a record from the model
 * @param keys returns the key of a record in each index
 */
export function indexedModel<Row extends object, Name extends string>(
  model: Model<Row>,
  discard: (row: Row) => void,
  keys: Record<Name, (row: Row) => string>,
) {
  const names = Object.keys(keys) as Name[]
  const indexes = Object.fromEntries(names.map((name) => [name, new Map()])) as Record<
    Name,
    Map<string, Set<Row>>
  >
  const index = (row: Row) => {
    for (const name of names) {
      const key = keys[name](row)
      const rows = indexes[name].get(key)
      if (rows) rows.add(row)
      else indexes[name].set(key, new Set([row]))
    }
  }
  const unindex = (row: Row) => {
    for (const name of names) {
      const rows = indexes[name].get(keys[name](row))
      rows?.delete(row)
      if (rows?.size === 0) indexes[name].delete(keys[name](row))
    }
  }

  return {
    create(row: Partial<Row>): Row {
      const created = model.create(row)
      index(created)
      return created
    },
    all: (): Row[] => model.getAll(),
    /** All records with a key, in insertion order. */
    allWith: (name: Name, key: string): Row[] => [...(indexes[name].get(key) ?? [])],
    /** The first record with a key. */
    firstWith: (name: Name, key: string): Row | undefined => indexes[name].get(key)?.values().next().value,
    /**
     * Sets fields of a record; undefined leaves a field unchanged. Bypasses the library: it assigns to the library's own
     * entity, because model.update() scans for the record (4 to 5 ms among 10,000).
     */
    update(row: Row, changes: Partial<Row>): Row {
      unindex(row)
      for (const [name, value] of Object.entries(changes)) {
        if (value !== undefined) Object.assign(row, { [name]: value })
      }
      index(row)
      return row
    },
    remove(rows: readonly Row[]): void {
      for (const row of rows) {
        unindex(row)
        discard(row)
      }
    },
  }
}
