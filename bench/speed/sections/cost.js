import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { fastifyFixed, port, productionModules, withLog } from '../subjects.js'
import { labels } from '../workloads.js'

const measurer = new URL('../request-cost.js', import.meta.url).pathname

/** Measures one server in a separate process. */
function measure({ args, env, workloads, logFile }, workload, options) {
  const [module, ...others] = args.map((arg) => (arg === port ? '0' : arg))
  const { path, cookies: [cookie] = [] } = workloads[workload]
  const output = logFile && openSync(logFile, 'w')
  const { stderr } = spawnSync(
    process.execPath,
    [measurer, JSON.stringify({ path, cookie, ...options }), module, ...others],
    { env: { ...process.env, ...env }, stdio: ['ignore', output ?? 'ignore', 'pipe'], encoding: 'utf8' },
  )
  if (output) closeSync(output)
  const [json = '{}'] = stderr.match(/^\{"cpuUs".*\}$/m) ?? []
  const result = JSON.parse(json)
  if (!/ 200 /.test(result.firstLine)) throw new Error(`${path}: ${result.firstLine ?? stderr}`)
  return result
}

/** The lowest of several measurements of each subject, taken in turn. */
function leastOf(subjects, rounds, measureOne) {
  const found = subjects.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, subject] of subjects.entries()) found[i].push(measureOne(subject))
  }
  return found.map((results) => results.toSorted((a, b) => a.cpuUs - b.cpuUs)[0])
}

export const cost = {
  title: 'CPU time of a read, over sockets in memory',
  async run({ files, rounds, isQuick }) {
    const batches = isQuick ? 100 : 300
    const production = productionModules(await files.database())
    const fastify = fastifyFixed(files.responses)
    const subjects = [fastify, production, withLog(fastify, files.log), withLog(production, files.log)]
    const tables = ['list', 'bundle'].map((workload) => {
      const results = leastOf(subjects, rounds, (subject) => measure(subject, workload, { batches }))
      // The ratio to Fastify with the same log.
      const ratio = (i) => ({ value: results[i - (i % 2)].cpuUs / results[i].cpuUs })
      const rows = subjects.map(({ name }, i) => ({ name, costUs: results[i].cpuUs, ratio: ratio(i) }))
      const caption = `${labels[workload]}, 20 projects: the cheapest of ${rounds} × ${batches} batches of 600 requests, and the ratio to Fastify with the same log.`
      return { id: `cost-${workload}`, caption, rows }
    })

    const { hooks } = measure(production, 'list', { batches: 1 })
    const without = [undefined, ...new Set(hooks)]
    const [whole, ...others] = leastOf(without, rounds, (withoutHook) =>
      measure(production, 'list', { batches, withoutHook }),
    )
    const rows = others.map(({ cpuUs }, i) => ({ name: without[i + 1], costUs: whole.cpuUs - cpuUs }))
    return [
      ...tables,
      { id: 'hooks', caption: `${labels.list}: how much less a read costs without each hook.`, rows },
    ]
  },
}
