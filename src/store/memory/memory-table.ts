import { withoutNulls } from '../record-fields.js'
import { keyField, type StateKind, type StateRecord } from '../state-file.js'
import { isSameRecord, type OnRecordChange } from './record-changes.js'

/** The methods of an @mswjs/data model that are used. In its entities, missing values are null. */
export type Model = {
  create(record: object): object
  getAll(): object[]
  update(query: { where: object; data: object }): object | null
  deleteMany(query: { where: object }): object[] | null
}

/** The records of one kind. The id of a waitlist entry is its address. Returned records are copies. */
export type MemoryTable<Item, Index extends string = string> = {
  create(record: Item): Item
  all(): Item[]
  get(id: string): Item | undefined
  /** The records with a key in an index, unordered. */
  allWith(index: Index, key: string): Item[]
  /** Sets fields of an existing record. null removes a field, undefined leaves it unchanged. */
  update(id: string, changes: { [Field in keyof Item]?: Item[Field] | null }): Item
  /** @returns the number of records that existed */
  remove(ids: Iterable<string>): number
  /** A view of the table. Each change through it is reported at once. */
  reporting(onChange: OnRecordChange): MemoryTable<Item, Index>
}

/** Copies an entity of the library without the symbols that mark it. */
const copyEntity = (entity: object): object => {
  const record = withoutNulls(entity)
  return Array.isArray(record.permissions) ? { ...record, permissions: [...record.permissions] } : record
}

/**
 * Adds indexes to a model of @mswjs/data: the library scans all records for every query.
 * @param keys returns the key of a record in each index
 * @param count called with each record that is added (1) or removed (-1); an update calls it with both
 */
export function createTable<Item extends StateRecord, Index extends string = never>(
  kind: StateKind,
  model: Model,
  keys: Record<Index, (record: Item) => string>,
  toRecord = copyEntity as (entity: object) => Item,
  count: (record: Item, by: 1 | -1) => void = () => {},
): MemoryTable<Item, Index> {
  const name = keyField(kind)
  const idOf = (row: object): string => Reflect.get(row, name)
  const entities = new Map<string, object>()
  const indexNames = Object.keys(keys) as Index[]
  const indexes = new Map(indexNames.map((index) => [index, new Map<string, Set<string>>()]))
  const index = (record: Item, by: 1 | -1) => {
    for (const [name, ids] of indexes) {
      const key = keys[name](record)
      const same = ids.get(key) ?? new Set()
      if (by === 1) ids.set(key, same.add(idOf(record)))
      else if (same.delete(idOf(record)) && same.size === 0) ids.delete(key)
    }
    count(record, by)
  }
  const get = (id: string): Item | undefined => {
    const entity = entities.get(id)
    return entity && toRecord(entity)
  }
  const store = (id: string, entity: object): Item => {
    const record = toRecord(entity)
    entities.set(id, entity)
    index(record, 1)
    return record
  }

  const reporting = (onChange?: OnRecordChange): MemoryTable<Item, Index> => ({
    create(record) {
      // The library keeps the arrays of its argument: copy them.
      const after = store(idOf(record), model.create(structuredClone(record)))
      onChange?.([{ kind, key: idOf(record), after }])
      return after
    },
    all: () => model.getAll().map(toRecord),
    get,
    allWith: (name, key) => [...(indexes.get(name)?.get(key) ?? [])].map((id) => get(id) as Item),
    update(id, changes) {
      const before = get(id) as Item
      const data = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      const updated = model.update({ where: { [name]: { equals: id } }, data: structuredClone(data) })
      index(before, -1)
      const after = store(id, updated as object)
      if (!isSameRecord(before, after)) onChange?.([{ kind, key: id, before, after }])
      return after
    },
    remove(ids) {
      const found = [...new Set(ids)].filter((id) => entities.has(id))
      if (found.length === 0) return 0
      const changes = found.map((id) => {
        const before = get(id) as Item
        index(before, -1)
        entities.delete(id)
        return { kind, key: id, before }
      })
      model.deleteMany({ where: { [name]: { in: found } } })
      onChange?.(changes)
      return found.length
    },
    reporting,
  })
  return reporting()
}
