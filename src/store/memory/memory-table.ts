import { keyField, type StateKind, type StateRecord } from '../state-file.js'
import { isSameRecord, type OnRecordChange } from './record-changes.js'

/** The methods of an @mswjs/data model that are used. */
export type Model<Row> = {
  create(row: Partial<Row>): Row
  getAll(): Row[]
  update(query: { where: object; data: object }): Row | null
  deleteMany(query: { where: object }): Row[] | null
}

/** The records of one kind. */
export type MemoryTable<Row extends object, Name extends string> = {
  create(row: Partial<Row>): Row
  all(): Row[]
  /** All records with a key, in insertion order. */
  allWith(name: Name, key: string): Row[]
  /** The first record with a key. */
  firstWith(name: Name, key: string): Row | undefined
  /** Sets fields of a record; undefined leaves a field unchanged. @returns the record, which is another object */
  update(row: Row, changes: Partial<Row>): Row
  remove(rows: readonly Row[]): void
  /** The same table. It reports each change that is made through it as soon as it is made. */
  reporting(onChange: OnRecordChange): MemoryTable<Row, Name>
}

/**
 * Adds indexes to a model of @mswjs/data. The library holds the records, but scans all of them for every query.
 * @param keys returns the key of a record in each index
 * @param toRecord copies an entity, which is the library's own object, marked with symbols
 * @param count called with each record that is added (1) or removed (-1); with both for an update
 */
export function createTable<Row extends object, Name extends string>(
  kind: StateKind,
  model: Model<Row>,
  keys: Record<Name, (row: Row) => string>,
  toRecord: (row: Row) => StateRecord,
  count: (row: Row, by: 1 | -1) => void = () => {},
): MemoryTable<Row, Name> {
  const keyOf = (row: object): string => Reflect.get(row, keyField(kind))
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
    count(row, 1)
  }
  const unindex = (row: Row) => {
    for (const name of names) {
      const key = keys[name](row)
      const rows = indexes[name].get(key)
      rows?.delete(row)
      if (rows?.size === 0) indexes[name].delete(key)
    }
    count(row, -1)
  }
  /** When each record was created: records with one key are found in that order, also after a change. */
  const created = new Map<string, number>()
  let creations = 0
  const inOrder = (rows: Iterable<Row>): Row[] => {
    const order = (row: Row) => created.get(keyOf(row)) ?? 0
    return [...rows].sort((a, b) => order(a) - order(b))
  }

  const reporting = (onChange?: OnRecordChange): MemoryTable<Row, Name> => ({
    create(row) {
      // The library keeps the arrays of its argument.
      const added = model.create(structuredClone(row))
      creations += 1
      created.set(keyOf(added), creations)
      index(added)
      onChange?.([{ kind, key: keyOf(added), after: toRecord(added) }])
      return added
    },
    all: () => model.getAll(),
    allWith: (name, key) => [...(indexes[name].get(key) ?? [])],
    firstWith: (name, key) => indexes[name].get(key)?.values().next().value,
    update(row, changes) {
      const before = onChange && toRecord(row)
      const data = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      const where = { [keyField(kind)]: { equals: keyOf(row) } }
      const updated = model.update({ where, data }) as Row
      unindex(row)
      index(updated)
      for (const name of names) {
        const key = keys[name](updated)
        indexes[name].set(key, new Set(inOrder(indexes[name].get(key) ?? [])))
      }
      if (!before) return updated
      const after = toRecord(updated)
      if (!isSameRecord(before, after)) onChange?.([{ kind, key: keyOf(updated), before, after }])
      return updated
    },
    remove(rows) {
      if (rows.length === 0) return
      const places = new Map(onChange && model.getAll().map((row, i) => [row, i]))
      const changes = rows.map((row) => ({
        kind,
        key: keyOf(row),
        before: toRecord(row),
        at: { before: places.get(row) },
      }))
      for (const row of rows) {
        unindex(row)
        created.delete(keyOf(row))
      }
      model.deleteMany({ where: { [keyField(kind)]: { in: rows.map(keyOf) } } })
      onChange?.(changes)
    },
    reporting,
  })
  return reporting()
}
