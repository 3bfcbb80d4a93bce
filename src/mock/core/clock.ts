import { ControlError } from './control-error.js'

/** A time to stand still at, or to tick on from. */
export type ClockSetting = { at: string; ticking?: boolean }

export type ClockReading = { mode: 'real' | 'fixed' | 'ticking'; now: string }

/** The mock's clock: creation times and the end of sessions go by it. */
export type Clock = {
  now(): Date
  read(): ClockReading
  /** Back to the real time without a setting. @throws ControlError for what is no time with a zone */
  set(setting?: ClockSetting): void
  /** Back to the setting of the beginning. */
  reset(): void
}

const timeWithZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/

export function createClock(real: () => Date, first?: ClockSetting): Clock {
  let mode: ClockReading['mode'] = 'real'
  let at = 0
  let setAt = 0

  const now = () => {
    if (mode === 'real') return real()
    return new Date(mode === 'fixed' ? at : at + real().getTime() - setAt)
  }
  const set = (setting?: ClockSetting) => {
    if (!setting) {
      mode = 'real'
      return
    }
    const time = timeWithZone.test(setting.at) ? Date.parse(setting.at) : Number.NaN
    if (Number.isNaN(time)) {
      throw new ControlError(`"${setting.at}" is not a time with a zone, e.g. 2026-01-01T00:00:00Z.`)
    }
    mode = setting.ticking ? 'ticking' : 'fixed'
    at = time
    setAt = real().getTime()
  }
  set(first)
  return { now, set, reset: () => set(first), read: () => ({ mode, now: now().toISOString() }) }
}
