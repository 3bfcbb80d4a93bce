// The process of one drill, which `drill-process.js` starts: makes it, and its controls if wanted, and sends the result.
import { createRandom } from '../fuzz/random.js'
import { drills } from './drills.js'
import { figureOf, isCaught, judge } from './judge.js'

const [name, json] = process.argv.slice(2)
const { makesControls, ...options } = JSON.parse(json)
const drill = drills.find((each) => each.name === name)

// The handlers of `exit` end what the drill started.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1))
process.once('disconnect', () => process.exit(1))

const result = { faults: [] }
try {
  const make = (more) => drill.make({ ...options, random: createRandom(options.seed), ...more })
  const counts = await make()
  result.figure = figureOf(drill, counts)
  result.faults = judge(drill, counts, options.isQuick)
  const figures = []
  for (const { fault, ...control } of (makesControls && drill.controls) || []) {
    const counts = await make(control)
    const figure = `${fault}: ${figureOf(drill, counts)}`
    figures.push(figure)
    if (!isCaught(control, counts)) result.faults.push(`the control did not fail: ${figure}`)
  }
  result.control = figures.join('. ') || undefined
} catch (error) {
  result.faults.push(`it ended: ${error.stack}`)
}
process.send(result, () => process.exit())
