import type { SessionSlots, Slot } from '../../handlers/api.js'

/** Admits a request with a slot, or refuses it without one. */
type Settle = (slot?: Slot) => void

/** The maximum number of pending requests of a session. */
export const maxPendingPerSession = 32

type Line = { running: number; waiting: Settle[]; refused: Settle[]; isAdmitting: boolean }

/** How many requests of a session may wait for each slot. More would take up the connections of a proxy. */
const waitingForEach = 7

/**
 * Limits the pending requests of each session, so that one user cannot slow down others. Per turn of the event loop, at most
 * one waiting request of a session is admitted and one is refused.
 * @param max the maximum number of running requests
 * @param waitMs how long a request may wait, in milliseconds
 */
export function createPendingLimit(max = maxPendingPerSession, waitMs = 5_000): SessionSlots {
  const lines = new Map<string, Line>()

  const slotIn = (session: string, line: Line): Slot => {
    line.running += 1
    return {
      end() {
        line.running -= 1
        if (line.waiting.length > 0) admitSoon(session, line)
        else if (line.running === 0 && !line.isAdmitting) lines.delete(session)
      },
    }
  }

  const admitSoon = (session: string, line: Line) => {
    if (line.isAdmitting) return
    line.isAdmitting = true
    setImmediate(() => {
      line.isAdmitting = false
      line.refused.shift()?.()
      if (line.running < max) line.waiting.shift()?.(slotIn(session, line))
      const isNextFree = line.running < max && line.waiting.length > 0
      if (isNextFree || line.refused.length > 0) admitSoon(session, line)
      else if (line.running === 0 && line.waiting.length === 0) lines.delete(session)
    })
  }

  return {
    /**
     * Begins a request of a session, at once or when earlier ones have ended.
     * @returns undefined for a request that waited too long, or behind too many
     */
    begin(session) {
      const line = lines.get(session) ?? { running: 0, waiting: [], refused: [], isAdmitting: false }
      lines.set(session, line)
      if (line.running < max && line.waiting.length === 0) return slotIn(session, line)
      return new Promise<Slot | undefined>((resolve) => {
        if (line.waiting.length >= max * waitingForEach) {
          line.refused.push(resolve)
          return admitSoon(session, line)
        }
        const settle: Settle = (slot) => {
          clearTimeout(timer)
          resolve(slot)
        }
        const timer = setTimeout(() => {
          line.waiting.splice(line.waiting.indexOf(settle), 1)
          resolve(undefined)
        }, waitMs)
        line.waiting.push(settle)
      })
    },
  }
}
