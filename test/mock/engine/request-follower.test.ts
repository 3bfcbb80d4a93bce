import { describe, expect, it } from 'vitest'
import { createRequestFollower } from '../../../src/mock/engine/request-follower.js'

const url = 'http://mock.test/v1/projects'

function start() {
  const follower = createRequestFollower()
  const ends: string[] = []
  const begin = (name: string, status?: number | 'elsewhere') => {
    const followed = follower.begin(url, name)
    if (status !== undefined)
      followed.answered(status, (isTaken) => ends.push(`${name} ${isTaken ? 'taken' : 'aborted'}`))
    return followed
  }
  return { ...follower, begin, ends }
}

describe('the follower of requests', () => {
  it('aborts a request whose end was reported before it arrived when the next one arrives, and not that one', () => {
    const { begin, ended } = start()
    ended(`${url}#part`, 0)
    const first = begin('first')
    expect(first).toMatchObject({ isSuspect: true, signal: { aborted: false } })
    expect(begin('second')).toMatchObject({ isSuspect: false, signal: { aborted: false } })
    expect(first.signal.aborted).toBe(true)
  })

  it('keeps a request that comes alone after an end: the browser has not sent the aborted one', () => {
    const { begin, ended, taken, ends } = start()
    ended(url, 0)
    const kept = begin('kept', 503)
    taken('kept')
    begin('next')
    expect(kept.signal.aborted).toBe(false)
    expect(ends).toEqual(['kept taken'])
  })

  it('takes an end for none of the requests that had arrived before the aborted one was sent', () => {
    const { begin, ended, ends } = start()
    begin('unread', 503)
    ended(url, 0, performance.now() + 1)
    expect(ends).toEqual([])
    expect(begin('aborted').isSuspect).toBe(true)
  })

  it('aborts the pending request, and not one that was answered', () => {
    const { begin, ended, ends } = start()
    begin('answered', 503)
    const pending = begin('pending')
    ended(url, 0)
    expect(pending.signal.aborted).toBe(true)
    ended(url, 503)
    expect(ends).toEqual(['answered taken'])
  })

  it('finds the response that was taken by its status', () => {
    const { begin, ended, ends } = start()
    begin('first', 503)
    begin('second', 200)
    ended(url, 200)
    ended(url, 0)
    expect(ends).toEqual(['second taken', 'first aborted'])
  })

  it('takes the failure of a broken connection, and of a request that is left to others, for none of the next', () => {
    const { begin, ended, ends } = start()
    begin('dropped', 0)
    begin('left', 'elsewhere')
    ended(url, 0)
    ended(url, 0)
    expect(begin('next', 200).signal.aborted).toBe(false)
    expect(ends).toEqual(['left aborted'])
  })

  it('ends a request when its response is there, whatever becomes of the body', () => {
    const { begin, ended, taken, ends } = start()
    begin('first', 200)
    taken('first')
    ended(url, 0)
    // The writer of the log counts the first call alone.
    expect(ends).toEqual(['first taken', 'first aborted'])
  })
})
