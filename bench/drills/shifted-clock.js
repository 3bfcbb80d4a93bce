// Imported first by a node of `clocks.js`: its clock differs from that of the machine by what the drill tells it, in ms. Timers
// go on, as they do when the clock of a machine is set.
const RealDate = Date
const realNow = Date.now
let shiftMs = 0
const now = () => realNow() + shiftMs

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
process.channel.unref()
