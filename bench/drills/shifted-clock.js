// Imported first by a program: its clock differs from that of the machine by $DRILL_SHIFT_MS, and then by what the drill tells it,
// in ms. Timers go on, as they do when the clock of a machine is set.
const RealDate = Date
const realNow = Date.now
const started = realNow()
const standsStill = process.env.DRILL_DEFECT === 'stoppedClock'
let shiftMs = Number(process.env.DRILL_SHIFT_MS ?? 0)
const now = () => (standsStill ? started : realNow() + shiftMs)

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget === Date ? target : newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

process.on('message', (ms) => {
  shiftMs = ms
  process.send({ now: now() })
})
// The drill keeps the process; the channel does not.
process.channel?.unref()
