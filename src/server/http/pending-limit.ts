import type { Turn, Turns } from '../../handlers/api.js'

/** Admits a request, or refuses it: without a turn. */
type Settle = (turn?: Turn) => void

/** How many requests of one session may be under way at once. */
export const maxPendingPerSession = 32

type Line = { running: number; waiting: Settle[]; refused: Settle[]; isAdmitting: boolean }

/** How many requests of a session wait at most for each that may be under way: they hold connections of a proxy. */
const waitingForEach = 7

/**
 * Limits the requests of one session that are under way, so that one user's flood is their own: it goes at the pace of
 * its own responses, and each turn of the event loop admits one request of it and refuses one.
 * @param max how many are under way at once
 * @param waitMs how long a request may wait to begin, in milliseconds
 */
export function createPendingLimit(max = maxPendingPerSession, waitMs = 5_000): Turns {
  const lines = new Map<string, Line>()

  const turnIn = (session: string, line: Line): Turn => {
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
      if (line.running < max) line.waiting.shift()?.(turnIn(session, line))
      const isNextFree = line.running < max && line.waiting.length > 0
      if (isNextFree || line.refused.length > 0) admitSoon(session, line)
      else if (line.running === 0 && line.waiting.length === 0) lines.delete(session)
    })
  }

  return {
    /**
     * Begins a request of a session, at once or when earlier ones have ended.
     * @returns undefined for a request that waited too long, or would wait behind too many
     */
    begin(session) {
      const line = lines.get(session) ?? { running: 0, waiting: [], refused: [], isAdmitting: false }
      lines.set(session, line)
      if (line.running < max && line.waiting.length === 0) return turnIn(session, line)
      return new Promise<Turn | undefined>((resolve) => {
        if (line.waiting.length >= max * waitingForEach) {
          line.refused.push(resolve)
          return admitSoon(session, line)
        }
        const settle: Settle = (turn) => {
          clearTimeout(timer)
          resolve(turn)
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
