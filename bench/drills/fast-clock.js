// Loaded before a program (`node --import`): its clock runs FAST_CLOCK times as fast, and so do the time that passes and its
// timers of a minute or more, such as the one that removes what has expired. Shorter ones are limits of waiting and stay as they
// are.
import { fastClock } from './fast-clock-time.js'

const factor = Number(process.env.FAST_CLOCK)
const now = fastClock(factor, Number(process.env.FAST_CLOCK_START))

const RealDate = Date
globalThis.Date = class FastDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args))
  }
  static now() {
    return now()
  }
}

// A clock that runs faster than the time that passes counts as one that was set: nothing is removed then.
const passed = performance.now.bind(performance)
performance.now = () => passed() * factor

const { setInterval: realInterval, setTimeout: realTimeout } = globalThis
const sooner = (ms) => (ms >= 60_000 ? ms / factor : ms)
globalThis.setInterval = (run, ms, ...args) => realInterval(run, sooner(ms), ...args)
globalThis.setTimeout = Object.assign(
  (run, ms, ...args) => realTimeout(run, sooner(ms), ...args),
  realTimeout,
)
