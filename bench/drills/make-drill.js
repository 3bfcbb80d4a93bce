// The process of one drill, which `drill-process.js` starts: makes it, and its control if wanted, and sends the result.
import { drills } from './drills.js'

const [name, json] = process.argv.slice(2)
const { makesControl, ...options } = JSON.parse(json)
const drill = drills.find((each) => each.name === name)

// The handlers of `exit` end what the drill started.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(1))
process.once('disconnect', () => process.exit(1))

const ending = new AbortController()
process.once('message', () => ending.abort())

const result = {}
try {
  Object.assign(result, await drill.run({ ...options, signal: ending.signal }))
  if (makesControl && drill.control) {
    const { isCaught, figure } = await drill.control(options)
    result.control = figure
    if (!isCaught) result.faults.push(`the control did not fail: ${figure}`)
  }
} catch (error) {
  result.faults = [...(result.faults ?? []), `it ended: ${error.stack}`]
}
process.send(result, () => process.exit())
