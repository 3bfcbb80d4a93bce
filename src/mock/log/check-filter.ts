import { ControlError } from '../state/control-error.js'
import { faults, maxTimeout, statusPattern } from './filter-rules.js'

const isWhole = (value: unknown, min: number, max = Number.MAX_SAFE_INTEGER): boolean =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max
const count = [(value: unknown) => isWhole(value, 0), faults.count] as const
const text = [(value: unknown) => typeof value === 'string', 'Expected a text.'] as const

const rules: Record<string, readonly [(value: unknown) => boolean, string]> = {
  target: text,
  session: text,
  text,
  status: [
    (value) => /^(number|string)$/.test(typeof value) && statusPattern.test(String(value)),
    faults.status,
  ],
  failed: [(value) => typeof value === 'boolean', 'Expected true or false.'],
  since: count,
  before: count,
  times: count,
  limit: [(value) => isWhole(value, 1), faults.limit],
  timeout: [(value) => isWhole(value, 0, maxTimeout), faults.timeout],
  body: [() => true, ''],
}

/**
 * Checks a filter of a call in this process, as the schema of its control does over HTTP.
 * @param fields the fields that it may have
 * @throws ControlError that names the field
 */
export function checkFilter(filter: unknown, fields: readonly string[]): void {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw new ControlError(
      `Expected an object with any of ${fields.join(', ')}, not ${JSON.stringify(filter)}.`,
    )
  }
  for (const [field, value] of Object.entries(filter)) {
    const rule = fields.includes(field) ? rules[field] : undefined
    if (!rule) throw new ControlError(`Unknown: ${field}.`, fields)
    if (value !== undefined && !rule[0](value)) throw new ControlError(`${rule[1]} Invalid: ${field}.`)
  }
}

/** The fields of the calls of a target. */
export const callFields = ['status', 'session', 'since', 'body'] as const

/** The fields of the log. */
export const logFields = [
  'target',
  'status',
  'session',
  'text',
  'failed',
  'since',
  'before',
  'limit',
] as const
