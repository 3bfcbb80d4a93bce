// `npm run fuzz`: sends mutated requests over raw sockets to production as it is served (`--mode mock`: to the mock), and judges
// each answer by the rules that the interface gives all of them. A seed repeats the requests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { errors } from '../../dist/contract/errors.js'
import { makeDatabase, signedCookies, stateOf } from '../speed/dataset.js'
import { startServer } from '../speed/processes.js'
import { mock, production } from '../speed/subjects.js'
import { fuzz } from './fuzz.js'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    mode: { type: 'string', default: 'production' },
  },
})
const requests = values.quick ? 20_000 : Number(values.requests)
const modes = values.mode.split(',')
const teams = 3

const folder = mkdtempSync(join(tmpdir(), 'dashboard-fuzz-'))
const database = join(folder, 'fuzz.db')
const fixtures = join(folder, 'fixtures.json')
await makeDatabase(database, { teams, projects: 5 })
writeFileSync(fixtures, JSON.stringify(stateOf({ teams, projects: 5 })))
const cookies = signedCookies(teams)
const served = production({ database, cookies })
const subjects = {
  production: { subject: served, cookies },
  mock: {
    subject: mock({ fixtures }),
    cookies: ['session=session-0', 'session=session-1', 'session=active'],
  },
  // The control: it has a bug that must be found.
  faulty: {
    subject: {
      ...served,
      name: 'a faulty server',
      command: (port) => [
        process.execPath,
        [new URL('faulty-server.js', import.meta.url).pathname, String(port)],
      ],
    },
    cookies,
  },
}

let isFaulty = false
try {
  for (const mode of modes) {
    const { subject, cookies } = subjects[mode]
    const server = await startServer({ ...subject, cwd: folder })
    try {
      const result = await fuzz({
        url: new URL(server.url),
        requests: Math.ceil(requests / modes.length),
        seed: Number(values.seed),
        cookies,
        codes: new Set(Object.keys(errors)),
        rssMb: server.rssMb,
      })
      isFaulty ||= result.faults > 0
      process.stdout.write(`${JSON.stringify({ mode, ...result })}\n`)
    } finally {
      await server.stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (isFaulty) process.exitCode = 1
