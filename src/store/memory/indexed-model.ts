/** The methods of an @mswjs/data model that are used. */
type Model<Row> = {
  create(row: Partial<Row>): Row
  getAll(): Row[]
  update(query: { where: object; data: object }): Row | null
  deleteMany(query: { where: object }): Row[] | null
}

/**
 * Adds indexes to a model of @mswjs/data. The library holds the records, but scans all of them for every query.
 * @param primary the field of the primary key
 * @param keys returns the key of a record in each index
 */
export function indexedModel<Row extends object, Name extends string>(
  model: Model<Row>,
  primary: keyof Row & string,
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
    /** Sets fields of a record; undefined leaves a field unchanged. @returns the record, which is another object */
    update(row: Row, changes: Partial<Row>): Row {
      const data = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      const updated = model.update({ where: { [primary]: { equals: row[primary] } }, data }) as Row
      unindex(row)
      index(updated)
      return updated
    },
    remove(rows: readonly Row[]): void {
      if (rows.length === 0) return
      for (const row of rows) unindex(row)
      model.deleteMany({ where: { [primary]: { in: rows.map((row) => row[primary]) } } })
    },
  }
}
