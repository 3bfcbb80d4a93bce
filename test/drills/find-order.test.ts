import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findContradiction } from '../../bench/drills/find-order.js'
import { teamModel } from '../../bench/drills/team-model.js'

/** An operation of a client on the projects of a team, with its result. */
type TeamOperation = { start: number; end: number } & (
  | { kind: 'create'; key: string; name: string; isTaken?: boolean }
  | { kind: 'update'; key: string; value: string }
  | { kind: 'read'; seen: Map<string, string> }
)

/** An operation on a register that holds a number: the written number, or the one that a read returned. */
type RegisterOperation = { start: number; end: number; write?: number; read?: number }
const register = {
  initial: '0',
  apply: (state: string, { write, read }: RegisterOperation) =>
    write !== undefined ? String(write) : state === String(read) ? state : undefined,
}
const isLinearizable = (...operations: RegisterOperation[]) =>
  findContradiction(operations, register) === undefined
const write = (value: number, start: number, end: number) => ({ write: value, start, end })
const read = (value: number, start: number, end: number) => ({ read: value, start, end })

describe('the search for an order', () => {
  test('finds an order where operations follow each other, or overlap', () => {
    expect(isLinearizable(write(1, 0, 1), read(1, 2, 3), write(2, 4, 5), read(2, 6, 7))).toBe(true)
    // Both reads overlap the write: one came before its effect, one after it.
    expect(isLinearizable(write(1, 0, 9), read(0, 1, 2), read(1, 3, 4))).toBe(true)
    expect(isLinearizable(write(1, 0, 5), write(2, 1, 4), read(1, 6, 7))).toBe(true)
  })

  test('finds no order for a stale read, a lost update, or a value that disappears', () => {
    expect(isLinearizable(write(1, 0, 1), read(0, 2, 3))).toBe(false)
    expect(isLinearizable(write(1, 0, 1), write(2, 2, 3), read(1, 4, 5))).toBe(false)
    expect(isLinearizable(write(1, 0, 9), read(1, 1, 2), read(0, 3, 4))).toBe(false)
    expect(isLinearizable(read(7, 0, 1))).toBe(false)
  })

  test('lets an operation of unknown outcome happen at any later time, once, or never', () => {
    const unknown = write(1, 0, Infinity)
    expect(isLinearizable(unknown, read(0, 5, 6), write(2, 7, 8), read(2, 9, 10))).toBe(true)
    expect(isLinearizable(unknown, write(2, 1, 2), read(2, 3, 4), read(1, 5, 6))).toBe(true)
    expect(isLinearizable(unknown, read(1, 1, 2), write(2, 3, 4), read(1, 5, 6))).toBe(false)
    // It cannot take effect before it was sent.
    expect(isLinearizable(read(1, 0, 1), write(1, 2, Infinity))).toBe(false)
  })

  test('names the operations that cannot come next', () => {
    const stale = read(0, 2, 3)
    expect(findContradiction([write(1, 0, 1), stale], register)).toEqual({
      order: [write(1, 0, 1)],
      stuck: [stale],
    })
  })

  test('agrees with a search of all orders', () => {
    const operation = fc
      .record({
        start: fc.nat(8),
        length: fc.nat(4),
        value: fc.nat(2),
        isRead: fc.boolean(),
        isUnknown: fc.boolean(),
      })
      .map(({ start, length, value, isRead, isUnknown }) => {
        const end = start + length
        return isRead ? read(value, start, end) : write(value, start, isUnknown ? Infinity : end)
      })
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 5 }), (operations) => {
        expect(isLinearizable(...operations)).toBe(hasOrder(operations, register.initial))
      }),
      { numRuns: 500 },
    )
  })
})

/** Tries every order. */
function hasOrder(left: RegisterOperation[], state: string): boolean {
  if (left.every(({ end }) => end === Infinity)) return true
  return left.some((operation) => {
    const others = left.filter((other) => other !== operation)
    if (others.some(({ end }) => end < operation.start)) return false
    const after = register.apply(state, operation)
    return after !== undefined && hasOrder(others, after)
  })
}

const isExplained = (history: TeamOperation[]) => {
  const { operations, model } = teamModel(history)
  return findContradiction(operations, model) === undefined
}
const create = (key: string, start: number, end: number, more = {}): TeamOperation => ({
  kind: 'create',
  key,
  name: 'atlas',
  start,
  end,
  ...more,
})
const update = (key: string, value: string, start: number, end: number): TeamOperation => ({
  kind: 'update',
  key,
  value,
  start,
  end,
})
const list = (seen: Record<string, string>, start: number, end: number): TeamOperation => ({
  kind: 'read',
  seen: new Map(Object.entries(seen)),
  start,
  end,
})

describe('the model of a team', () => {
  test('explains creations, updates and lists in order', () => {
    const history = [create('a', 0, 1), update('a', 'x', 2, 3), list({ a: 'x' }, 4, 5)]
    expect(isExplained(history)).toBe(true)
    expect(isExplained([...history, list({ a: 'active' }, 6, 7)])).toBe(false)
    expect(isExplained([...history, list({}, 6, 7)])).toBe(false)
    expect(isExplained([...history, list({ a: 'x', b: 'active' }, 6, 7)])).toBe(false)
  })

  test('lets two creations of one name succeed only if they were concurrent (4.1)', () => {
    const both = list({ a: 'active', b: 'active' }, 8, 9)
    expect(isExplained([create('a', 0, 3), create('b', 2, 5), both])).toBe(true)
    expect(isExplained([create('a', 0, 1), create('b', 2, 5), both])).toBe(false)
  })

  test('refuses a name only if it is taken', () => {
    const refused = create('b', 2, 3, { isTaken: true })
    expect(isExplained([create('a', 0, 1), refused])).toBe(true)
    expect(isExplained([create('a', 0, Infinity), refused])).toBe(true)
    expect(isExplained([refused])).toBe(false)
    expect(isExplained([create('a', 4, 5), refused])).toBe(false)
  })

  test('lets an update of unknown outcome appear later, or never', () => {
    const unknown = [create('a', 0, 1), update('a', 'x', 2, Infinity)]
    expect(isExplained([...unknown, list({ a: 'active' }, 4, 5), list({ a: 'x' }, 6, 7)])).toBe(true)
    expect(isExplained([...unknown, list({ a: 'active' }, 4, 5)])).toBe(true)
    expect(isExplained([...unknown, list({ a: 'x' }, 4, 5), list({ a: 'active' }, 6, 7)])).toBe(false)
    expect(teamModel([...unknown, list({ a: 'active' }, 4, 5)]).operations).toHaveLength(2)
  })
})
