// `npm run drills`: makes faults on purpose, judges what the service does meanwhile and afterwards, and writes the figures to
// docs/reliability.md. With names only those drills are run, and their rows are replaced. `--quick` makes a few rounds, no
// controls, and writes nothing; so does `--json`, which prints the figures.
import { parseArgs } from 'node:util'
import { drills } from './drills.js'
import { judge } from './judge.js'
import { noPostgres } from './postgres-server.js'
import { writeReport } from './report.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !drills.some((drill) => drill.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `error: There is no drill ${unknown.join(', ')}.\nhint: There are ${drills.map(({ name }) => name).join(', ')}.\n`,
  )
  process.exit(2)
}
const chosen = drills.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const print = (text) => (values.json ? process.stderr : process.stdout).write(`${text}\n`)

/** Whether the run makes the controls, and writes the report. */
const isReported = !values.quick && !values.json

const results = []
for (const drill of chosen) {
  const { name, fault } = drill
  const skipped = noPostgres() ?? drill.unavailable?.()
  const rounds = Number(values.rounds ?? (values.quick ? drill.quickRounds : drill.rounds))
  print(`${name}: ${skipped === undefined ? `${rounds} rounds` : `skipped, ${skipped}`}`)
  results.push({ name, fault, ...(skipped === undefined ? await make(drill, rounds) : { skipped }) })
  if (isReported) writeReport(results)
}
if (values.json) process.stdout.write(`${JSON.stringify(results)}\n`)
process.exit(results.some(({ failures = [] }) => failures.length > 0) ? 1 : 0)

/** Makes a drill, and its control in a full run. Returns its figures, and what did not hold. */
async function make(drill, rounds) {
  const began = performance.now()
  const failures = []
  let figures = {}
  let control
  try {
    figures = await drill.run({ rounds })
    failures.push(...judge(drill, figures))
    control = isReported ? await drill.control?.() : undefined
    if (control?.isCaught === false) failures.push('the control did not fail')
  } catch (error) {
    failures.push(`it ended: ${error.message}`)
  }
  const { faults, ...rest } = figures
  const seconds = Math.round((performance.now() - began) / 1000)
  print(`  ${JSON.stringify({ ...rest, seconds, control: control?.figure })}`)
  for (const failure of failures) print(`  FAILED ${failure}`)
  return { rounds, seconds, ...rest, control: control?.figure, failures }
}
