// The processor time of the mock's answers with the log's bodies, compared with that without. Both run in turn in one
// process, so that a disturbance affects both.
// `npm run bench:log [rounds]`
import { readFileSync } from 'node:fs'
import { getResponse } from 'msw'
import { median } from './speed/statistics.js'

const { createMockApi } = await import('../dist/mock/core/mock-api.js')
const { parseState } = await import('../dist/store/state-file.js')

const limit = 1.15
const rounds = Number(process.argv[2] ?? 40)
const requestsPerRound = 300
const baseUrl = 'http://mock.test'
const fixtures = parseState(
  JSON.parse(readFileSync(new URL('../fixtures/demo.json', import.meta.url), 'utf8')),
)
const headers = { cookie: 'session=acme-owner', 'content-type': 'application/json' }
const id = fixtures.projects.find(({ teamId }) => teamId === 'team-acme').id

const workloads = {
  'GET list': () => ['/v1/projects', { headers }],
  'POST create': (i) => [
    '/v1/projects',
    {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: `Project ${i}`, description: 'x'.repeat(1000) }),
    },
  ],
  'PATCH update': (i) => [
    `/v1/projects/${id}`,
    { method: 'PATCH', headers, body: JSON.stringify({ description: `${i}${'x'.repeat(1000)}` }) },
  ],
}

/** The processor time of a round in microseconds for each request. */
async function run(mock, workload) {
  await mock.controls.reset()
  const { user, system } = process.cpuUsage()
  for (let i = 0; i < requestsPerRound; i += 1) {
    const [path, init] = workload(i)
    await (await getResponse(mock.handlers, new Request(baseUrl + path, init))).text()
  }
  const used = process.cpuUsage({ user, system })
  return (used.user + used.system) / requestsPerRound
}

let isMet = true
for (const [name, workload] of Object.entries(workloads)) {
  const subjects = [true, false].map((logBodies) => ({
    mock: createMockApi({ fixtures, baseUrl, logBodies }),
    times: [],
  }))
  for (let round = 0; round < rounds; round += 1) {
    for (const subject of round % 2 ? subjects.toReversed() : subjects) {
      const time = await run(subject.mock, workload)
      if (round >= rounds / 4) subject.times.push(time)
    }
  }
  const [bodies, none] = subjects.map(({ times }) => median(times))
  isMet &&= bodies / none <= limit
  console.log(
    `${name}: ${bodies.toFixed(0)} µs with bodies, ${none.toFixed(0)} µs without: ${(bodies / none).toFixed(2)}`,
  )
}
console.log(isMet ? `At most ${limit}: met.` : `At most ${limit}: NOT met.`)
if (!isMet) process.exitCode = 1
