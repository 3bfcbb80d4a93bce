import { type ErrorCode, errors } from '../contract/errors.js'
import type { Reply } from './case.js'

/** The service is not as it must be; the message is a sentence that says what came and what was expected. */
export class Violation extends Error {
  override name = 'Violation'
}

export function expectStatus(reply: Reply, ...expected: number[]): void {
  if (!expected.includes(reply.status))
    throw new Violation(
      `${reply.to}: status ${reply.status}, expected ${expected.join(' or ')}: ${reply.text.slice(0, 300)}`,
    )
}

/** Expects the error of a code (section 7), by default with the status of the error catalogue. */
export function expectError(reply: Reply, code: ErrorCode, status: number = errors[code].status): void {
  expectStatus(reply, status)
  expectEqual(Object(reply.json).code, code, `${reply.to}: the code`)
}

/**
 * Expects the validation error body (section 2.5) with messages for exactly these fields, and for the body as a whole if
 * `form` is true; null: without details, since there is no object to speak of.
 */
export function expectInvalid(reply: Reply, fields: string[] | null, form = false): void {
  expectError(reply, 'VALIDATION_FAILED')
  const { details } = Object(reply.json)
  if (fields === null) {
    expectEqual(details, null, `${reply.to}: details`)
    return
  }
  const found = Object.keys(Object(details?.fieldErrors)).sort()
  expectEqual(found, [...fields].sort(), `${reply.to}: the fields with errors`)
  expectEqual(details?.formErrors?.length > 0, form, `${reply.to}: an error of the body as a whole`)
}

/** Expects a header to be a text or to match a pattern, or to be absent (null). */
export function expectHeader(reply: Reply, name: string, expected: string | RegExp | null): void {
  const value = reply.headers[name] ?? null
  const isRight = expected instanceof RegExp ? expected.test(value ?? '') : value === expected
  if (!isRight) throw new Violation(`${reply.to}: header ${name} is ${value}, expected ${expected}`)
}

/** Expects the same response to two requests: status, body, content type and caching. */
export function expectSame(reply: Reply, earlier: Reply): void {
  const seen = ({ status, text, headers }: Reply) =>
    [status, headers['content-type'], headers['cache-control'], text].join(' ')
  if (seen(reply) !== seen(earlier))
    throw new Violation(`${reply.to}: the response is ${seen(reply)}, and was ${seen(earlier)}`)
}

/** Expects that two values of JSON are the same, without regard to the order of keys. */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isSame(actual, expected))
    throw new Violation(`${what} is ${shown(actual)}, expected ${shown(expected)}`)
}

export function expectTrue(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new Violation(otherwise)
}

const shown = (value: unknown): string => `${JSON.stringify(value)}`.slice(0, 300)

function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => isSame(Object(a)[key], Object(b)[key]))
}
