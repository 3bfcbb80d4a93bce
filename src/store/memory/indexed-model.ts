/** What is used of a model of @mswjs/data. */
type Model<Row> = {
  create(row: Partial<Row>): Row
  getAll(): Row[]
  delete(query: { where: object }): Row | null
}

/**
 * A model of @mswjs/data with indexes beside it: the library itself looks at every record for each query.
 * @param idName the field that the library has a record under
 * @param keys what gives the key of a record in each index
 */
export function indexedModel<Row extends object, Name extends string>(
  model: Model<Row>,
  idName: keyof Row & string,
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
    /** Those with a key. */
    with: (name: Name, key: string): Row[] => [...(indexes[name].get(key) ?? [])],
    /** One with a key. */
    one: (name: Name, key: string): Row | undefined => indexes[name].get(key)?.values().next().value,
    /** Sets fields of a record in its place: the library's own update looks for it among all of them. */
    change(row: Row, changes: Partial<Row>): Row {
      unindex(row)
      for (const [name, value] of Object.entries(changes)) {
        if (value !== undefined) Object.assign(row, { [name]: value })
      }
      index(row)
      return row
    },
    remove(row: Row): void {
      unindex(row)
      model.delete({ where: { [idName]: { equals: row[idName] } } })
    },
  }
}
