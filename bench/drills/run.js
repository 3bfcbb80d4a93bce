// `npm run drills`: makes faults on purpose, judges the service during and after each fault, and writes docs/reliability.md.
// Names (`--only NAME`, or the name alone) select drills, whose rows are replaced. `--quick` runs a few rounds of each, several
// drills side by side, and writes nothing; `--controls` adds all controls. `--seed N` repeats the random choices of a run.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { noPostgres } from '../../test/programs/embedded-postgres.js'
import { startDrill } from './drill-process.js'
import { drills } from './drills.js'
import { writeReport } from './report.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    quick: { type: 'boolean', default: false },
    controls: { type: 'boolean', default: false },
  },
})
const names = [...values.only, ...positionals]
const unknown = names.filter((name) => !drills.some((drill) => drill.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `error: There is no drill ${unknown.join(', ')}.\nhint: There are ${drills.map(({ name }) => name).join(', ')}.\n`,
  )
  process.exit(2)
}
const isQuick = values.quick
const seed = Number(values.seed)
/** Quick drills mostly wait, so that two share a core. */
const lanes = isQuick ? 2 * availableParallelism() : 1
const timeLimitMs = (isQuick ? 4 : 60) * 60_000
/** The load pauses longer where several drills share the machine. */
const env = isQuick ? { DRILL_PAUSE_MS: '40' } : {}

const print = (text) => process.stdout.write(`${text}\n`)
const secondsSince = (began) => `${Math.round((performance.now() - began) / 1000)} s`
const running = new Set()
const results = []
let isInterrupted = false

async function runOne(drill) {
  const { name, promise, fault, target } = drill
  const rounds = Number(values.rounds ?? (isQuick ? drill.quickRounds : drill.rounds))
  const runsControls = !isQuick || values.controls || drill.hasQuickControl === true
  const began = performance.now()
  const started = startDrill(drill, { rounds, seed, isQuick, runsControls, timeLimitMs, env })
  running.add(started)
  const result = await started.result
  running.delete(started)
  if (isInterrupted) return
  print(`${name}: ${rounds} rounds in ${secondsSince(began)}: ${result.figure ?? '-'}`)
  if (result.control) print(`  control: ${result.control}`)
  for (const fault of result.faults) print(`  FAILED ${fault}`)
  const command = `npm run drills -- --only ${name} --seed ${seed}${values.rounds ? ` --rounds ${rounds}` : ''}`
  results.push({ name, promise, fault, target, command, ...result })
  if (!isQuick) writeReport(results)
}

const chosen = drills.filter(({ name }) => names.length === 0 || names.includes(name))
const whyNot = (drill) => (drill.needsPostgres ? noPostgres() : undefined) ?? drill.unavailable?.()
const skipped = chosen.filter((drill) => {
  const reason = whyNot(drill)
  if (reason !== undefined) print(`${drill.name}: skipped, ${reason}`)
  return reason !== undefined
})
const possible = chosen.filter((drill) => !skipped.includes(drill))

/** Runs drills, at most `concurrency` at a time. */
const runAll = async (list, concurrency) => {
  const waiting = [...list]
  const lane = async () => {
    while (waiting.length > 0 && !isInterrupted) await runOne(waiting.shift())
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

for (const [signal, number] of Object.entries({ SIGINT: 2, SIGTERM: 15 }))
  process.once(signal, async () => {
    isInterrupted = true
    await Promise.all([...running].map(async ({ abort, result }) => [await abort(), await result]))
    process.exit(128 + number)
  })

print(`Seed ${seed}`)
const began = performance.now()
await runAll(
  possible.filter(({ isAlone }) => !isAlone || !isQuick),
  lanes,
)
await runAll(
  possible.filter(({ isAlone }) => isAlone && isQuick),
  1,
)
const failedNow = () => results.filter(({ faults }) => faults.length > 0)
/** A busy machine may make a drill fail: it is run once more, alone. */
const repeated = isQuick && !isInterrupted ? failedNow() : []
for (const first of repeated) {
  results.splice(results.indexOf(first), 1)
  await runOne(possible.find(({ name }) => name === first.name))
}
if (!isInterrupted) {
  const failed = failedNow()
  const late = repeated.filter(({ name }) => !failed.some((result) => result.name === name))
  const printAll = (title, list) => {
    if (list.length === 0) return
    print(title)
    for (const { name, faults, command } of list)
      print(`  ${name}: ${faults[0]}\n    ${command}${isQuick ? ' --quick' : ''}`)
    print('')
  }
  printAll('Passed only when repeated:', late)
  printAll('Failed:', failed)
  print(secondsSince(began))
  // CI parses the last line, and adds up its counts.
  const more = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  print(`${results.length - failed.length} passed, ${failed.length} failed${more}`)
  process.exitCode = failed.length > 0 ? 1 : 0
}
