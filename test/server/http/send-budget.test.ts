import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { createSendBudget } from '../../../src/server/http/send-budget.js'

const mebibyte = 1024 * 1024
/** A body that is large enough to be counted. */
const large = (mebibytes = 2) => Buffer.alloc(mebibytes * mebibyte)

/** A response that is pending until `close`, or until its connection ends. */
function createResponse() {
  const socket = new EventEmitter()
  const response = Object.assign(new EventEmitter(), { req: { socket } })
  return { response: response as unknown as ServerResponse, close: () => response.emit('close'), socket }
}

/** A budget of 4 MiB of pending bodies for each owner, and 16 MiB for all. */
function createBudget() {
  const budget = createSendBudget(4 * mebibyte)
  return {
    admit(body: Buffer, owner: string) {
      const { response, close } = createResponse()
      return { isAdmitted: budget.admit(body, owner, response), close }
    },
  }
}

test('an owner may have the allowed number of bytes pending, and not one more', () => {
  const { admit } = createBudget()
  expect(admit(large(2), 'a').isAdmitted).toBe(true)
  expect(admit(large(2), 'a').isAdmitted).toBe(true)
  expect(admit(Buffer.alloc(mebibyte + 1), 'a').isAdmitted).toBe(false)
  expect(admit(large(), 'b').isAdmitted).toBe(true)
})

test('a small body is always sent and not counted', () => {
  const { admit } = createBudget()
  for (let i = 0; i < 10; i++) expect(admit(Buffer.alloc(mebibyte), 'a').isAdmitted).toBe(true)
  expect(admit(large(4), 'a').isAdmitted).toBe(true)
  expect(admit(Buffer.alloc(mebibyte), 'a').isAdmitted).toBe(true)
})

test('the first body of an owner is sent however long it is, even if all owners exceed their budget', () => {
  const { admit } = createBudget()
  for (const owner of 'abcd') expect(admit(large(5), owner).isAdmitted).toBe(true)
  expect(admit(large(), 'e').isAdmitted).toBe(true)
  expect(admit(Buffer.alloc(mebibyte + 1), 'e').isAdmitted).toBe(false)
})

test('all owners together may have four times as many bytes pending', () => {
  const { admit } = createBudget()
  for (const owner of 'abcd') expect(admit(large(3), owner).isAdmitted).toBe(true)
  // 12 of 16 MiB are pending.
  expect(admit(large(2), 'e').isAdmitted).toBe(true)
  expect(admit(large(2), 'e').isAdmitted).toBe(true)
  const { isAdmitted } = admit(Buffer.alloc(mebibyte + 1), 'd')
  expect(isAdmitted).toBe(false)
})

test('a body that several responses share counts once, until the last one is sent', () => {
  const { admit } = createBudget()
  const shared = large(3)
  const [first, second] = [admit(shared, 'a'), admit(shared, 'a')]
  expect(second.isAdmitted).toBe(true)
  const isFree = () => {
    const { isAdmitted, close } = admit(large(), 'a')
    if (isAdmitted) close()
    return isAdmitted
  }
  expect(isFree()).toBe(false)
  first.close()
  expect(isFree()).toBe(false)
  second.close()
  expect(isFree()).toBe(true)
  // The body is counted again when it is sent again.
  admit(shared, 'a')
  expect(isFree()).toBe(false)
})

test('a sent body is no longer counted, for its owner and for all', () => {
  const { admit } = createBudget()
  for (let i = 0; i < 10; i++) for (const owner of 'abcd') admit(large(4), owner).close()
  expect(admit(large(4), 'a').isAdmitted).toBe(true)
  for (const owner of 'bcd') expect(admit(large(4), owner).isAdmitted).toBe(true)
  expect(admit(large(), 'd').isAdmitted).toBe(false)
})

test('a response whose connection ended is subtracted once', () => {
  const budget = createSendBudget(4 * mebibyte)
  const { response, close, socket } = createResponse()
  budget.admit(large(4), 'a', response)
  socket.emit('close')
  close()
  const admit = () => budget.admit(large(4), 'a', createResponse().response)
  expect([admit(), admit()]).toEqual([true, false])
})

test('a response whose client left before it was sent is not counted', () => {
  const budget = createSendBudget(4 * mebibyte)
  for (const gone of ['response', 'socket']) {
    const { response, socket } = createResponse()
    Object.assign(gone === 'socket' ? socket : response, { destroyed: true })
    expect(budget.admit(large(4), 'a', response)).toBe(true)
  }
  expect(budget.admit(large(4), 'a', createResponse().response)).toBe(true)
})
