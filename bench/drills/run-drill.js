// The process of one drill, started by `drill-process.js`: runs the drill, and its controls if wanted, and sends the result.
import { createRandom } from '../fuzz/random.js'
import { drills } from './drills.js'
import { figureOf, isCaught, judge } from './judge.js'

const [name, json] = process.argv.slice(2)
const { runsControls, ...options } = JSON.parse(json)
const drill = drills.find((each) => each.name === name)

// The handlers of `exit` end the processes of the drill.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1))
process.once('disconnect', () => process.exit(1))

const result = { faults: [] }
try {
  const run = (more) => drill.run({ ...options, random: createRandom(options.seed), ...more })
  const counts = await run()
  result.figure = figureOf(drill, counts)
  result.faults = judge(drill, counts, options.isQuick)
  const figures = []
  for (const { fault, ...control } of (runsControls && drill.controls) || []) {
    const counts = await run(control)
    const figure = `${fault}: ${figureOf(drill, counts)}`
    figures.push(figure)
    if (!isCaught(control, counts)) result.faults.push(`the control did not fail: ${figure}`)
  }
  result.control = figures.join('. ') || undefined
} catch (error) {
  result.faults.push(`it ended: ${error.stack}`)
}
process.send(result, () => process.exit())
