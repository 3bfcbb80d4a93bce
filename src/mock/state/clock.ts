import * as z from 'zod'
import { ControlError } from './control-error.js'

export type ClockSetting = { at: string; ticking?: boolean }

export type ClockReading = { mode: 'real' | 'fixed' | 'ticking'; now: string }

/** The last time with a year of four digits, as the interface requires. */
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

// `Date` would accept February 30.
const timeWithZone = z.iso.datetime({ offset: true })

/** The mock's clock, for creation times and the expiry of sessions. */
export function createClock(real: () => Date, initial?: ClockSetting) {
  let mode: ClockReading['mode'] = 'real'
  let at = 0
  let setAt = 0

  const now = () => {
    if (mode === 'real') return real()
    return new Date(mode === 'fixed' ? at : Math.min(at + real().getTime() - setAt, lastTime))
  }
  /** Sets the clock; without a setting, to the real time. @throws ControlError if `at` is not a time with a zone */
  const set = (setting?: ClockSetting) => {
    // Over HTTP, an absent setting is an empty object. A Date has no fields either.
    if (!setting || JSON.stringify(setting) === '{}') {
      mode = 'real'
      return
    }
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
    mode = setting.ticking ? 'ticking' : 'fixed'
    at = time
    setAt = real().getTime()
  }
  set(initial)
  const read = (): ClockReading => ({ mode, now: now().toISOString() })
  return { now, set, reset: () => set(initial), read }
}
