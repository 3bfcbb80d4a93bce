import type { RecordChange } from '../../store/memory/record-changes.js'
import type { MockReply } from '../engine/mock-reply.js'

/** A record that a request changed, by its name. */
export type ChangedRecord = {
  kind: RecordChange['kind']
  /** The id of the record; the address of a waitlist entry. */
  key: string
  /** The name or the address of the record, else its key. */
  name: string
  change: 'added' | 'changed' | 'removed'
  /** The changed fields of a record that was there before. */
  fields?: string[]
}

/** The most changed records that an entry names. */
const maxNamed = 10

/** The longest name in an entry. */
const maxName = 120

export const changedRecords = (changes: readonly RecordChange[] = []): ChangedRecord[] | undefined =>
  changes.length === 0
    ? undefined
    : changes.slice(0, maxNamed).map(({ kind, key, before, after }) => ({
        kind,
        key,
        name: nameOfRecord(key, after ?? before).slice(0, maxName),
        change: before ? (after ? 'changed' : 'removed') : 'added',
        ...(before && after && { fields: differingFields(before, after) }),
      }))

function nameOfRecord(key: string, record: object = {}): string {
  const { name, email }: { name?: unknown; email?: unknown } = record
  return [name, email].find((text): text is string => typeof text === 'string' && text !== '') ?? key
}

const differingFields = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name)),
  )

type Details = { formErrors?: string[]; fieldErrors?: Record<string, string[]> } | null

/** The first fault of a body that was refused, such as `name: must not be empty` (section 2.5). */
export function firstFault({ body }: Pick<MockReply, 'body'>): string | undefined {
  if (!body) return undefined
  const { details, error } = JSON.parse(body) as { details?: Details; error?: string }
  const [field] = Object.entries(details?.fieldErrors ?? {})
  return field ? `${field[0]}: ${lowerFirst(field[1][0])}` : (details?.formErrors?.[0] ?? error)
}

const lowerFirst = (text = ''): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

/** The longest body that is searched for a name. */
const maxBody = 16_384

/** The name or the address in the body of a request. */
export function nameInBody(body: Uint8Array | undefined): string | undefined {
  if (!body || body.length === 0 || body.length > maxBody) return undefined
  try {
    const given: unknown = JSON.parse(new TextDecoder().decode(body))
    return typeof given === 'object' && given
      ? nameOfRecord('', given).slice(0, maxName) || undefined
      : undefined
  } catch {
    return undefined
  }
}
