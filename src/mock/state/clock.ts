import * as z from 'zod'
import { ControlError } from './control-error.js'
import type { Part } from './history.js'

export type ClockSetting = { at: string; ticking?: boolean }

export type ClockReading = { mode: 'real' | 'fixed' | 'ticking'; now: string }

/** The last time with a year of four digits, as the interface requires. */
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

// `Date` would accept February 30.
const timeWithZone = z.iso.datetime({ offset: true })

/** The mock's clock, for creation times and the expiry of sessions. */
export function createClock(real: () => Date, initial?: ClockSetting) {
  /** Each change replaces it. */
  let value: { mode: ClockReading['mode']; at: number; setAt: number } = { mode: 'real', at: 0, setAt: 0 }

  const now = () => {
    const { mode, at, setAt } = value
    if (mode === 'real') return real()
    return new Date(mode === 'fixed' ? at : Math.min(at + real().getTime() - setAt, lastTime))
  }
  /** The value for a setting; without one, the real time. @throws ControlError if `at` is not a time with a zone */
  const valueFor = (setting?: ClockSetting): typeof value => {
    // Over HTTP, an absent setting is an empty object. A Date has no fields either.
    if (!setting || JSON.stringify(setting) === '{}') return { mode: 'real', at: 0, setAt: 0 }
    // The options may come from JavaScript.
    if (typeof setting.at !== 'string') {
      throw new ControlError(
        `The clock is set with { at: "2026-01-01T00:00:00Z" }, not with ${JSON.stringify(setting)}.`,
      )
    }
    // Seconds may be left out.
    const whole = setting.at.replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00')
    const time = timeWithZone.safeParse(whole).success ? Date.parse(setting.at) : Number.NaN
    if (!(time <= lastTime)) {
      throw new ControlError(`"${setting.at}" is not a time with a zone, e.g. 2026-01-01T00:00:00Z.`)
    }
    return setting.ticking
      ? { mode: 'ticking', at: time, setAt: real().getTime() }
      : { mode: 'fixed', at: time, setAt: 0 }
  }
  const set = (setting?: ClockSetting) => {
    value = valueFor(setting)
  }
  set(initial)
  const part: Part<typeof value> = {
    name: 'clock',
    get: () => value,
    set(earlier) {
      value = earlier
      return undefined
    },
    isSame: (a, b) => JSON.stringify(a) === JSON.stringify(b),
  }
  const read = (): ClockReading => ({ mode: value.mode, now: now().toISOString() })
  return { part, now, set, valueFor, reset: () => set(initial), read }
}
