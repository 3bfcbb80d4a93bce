import { recordSchemas, type StateKind, type StateRecord } from '../../store/state-file.js'
import { ControlError } from './control-error.js'

/** Selects and orders records of a kind. */
export type RecordQuery = {
  /** A text that a field contains, ignoring case. */
  search?: string
  /** The field to sort by, ignoring case and accents; `-createdAt` is descending. Default: as stored. */
  sort?: string
  /** The number of records to skip, and the most to return. */
  offset?: number
  limit?: number
}

/** A page of records. `total` counts all of the kind, `matched` those that the search found. */
export type RecordPage<Item> = { total: number; matched: number; records: Item[] }

/** @throws ControlError for an unknown field, or an invalid offset or limit */
export function queryRecords(
  kind: StateKind,
  records: readonly StateRecord[],
  { search = '', sort, offset = 0, limit = Number.POSITIVE_INFINITY }: RecordQuery,
): RecordPage<StateRecord> {
  for (const [name, value] of Object.entries({ offset, limit })) {
    if (!(value >= 0)) throw new ControlError(`${name} is ${value}; it must be a number of at least 0.`)
  }
  const text = search.toLowerCase()
  const found = text
    ? records.filter((record) => valuesOf(record).some((value) => value.includes(text)))
    : records
  const sorted = sort === undefined ? found : sortBy(kind, found, sort)
  return { total: records.length, matched: found.length, records: sorted.slice(offset, offset + limit) }
}

const valuesOf = (record: StateRecord): string[] => Object.values(record).map(comparable)

/** A list of permissions is compared as a text. */
const comparable = (value: unknown): string => (value == null ? '' : String(value).toLowerCase())

/** Much faster than a collator. */
const withoutAccents = (value: string): string => value.normalize('NFKD').replace(/\p{M}/gu, '')

function sortBy(kind: StateKind, records: readonly StateRecord[], sort: string): StateRecord[] {
  const isDescending = sort.startsWith('-')
  const field = isDescending ? sort.slice(1) : sort
  const fields = Object.keys(recordSchemas[kind].shape)
  if (!fields.includes(field)) throw new ControlError(`The ${kind} have no field "${field}".`, fields)
  const direction = isDescending ? -1 : 1
  return records
    .map((record) => ({ record, value: withoutAccents(comparable(Reflect.get(record, field))) }))
    .sort((a, b) => (a.value < b.value ? -direction : a.value > b.value ? direction : 0))
    .map(({ record }) => record)
}
