import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors } from '../../dist/contract/errors.js'
import { sendBroken, sendPipeline } from '../fuzz/client.js'
import { createRequests } from '../fuzz/requests.js'
import { makeDatabase, signedCookies, stateOf } from '../speed/dataset.js'
import { percentile } from './percentile.js'
import { startProbe } from './probe.js'
import { rssMb } from './process-figures.js'
import { startNode, startProgram, startServer } from './processes.js'
import { withFolder } from './with-folder.js'

const size = { teams: 3, projects: 5 }
const connections = 48
const codes = new Set(Object.keys(errors))
const mostMb = 50
/** With fewer requests the memory still grows to what the server needs anyhow. */
const requestsForMemory = 100_000
/** The parts of the requests in which the memory is compared: it is as large by then as the server needs; and the end. */
const [warmUp, end] = [
  [0.1, 0.2],
  [0.9, Number.POSITIVE_INFINITY],
]
/** After so many requests a server may be set back. */
const batch = 5_000
/** So many findings of a kind are shown, and after so many in all it ends. */
const [shown, enough] = [3, 1_000]

/** Sign-ups are not limited, so that requests reach the handlers; teams stay small, so that their lists do. */
const env = {
  DASHBOARD_API_WAITLIST_RATE: 'off',
  DASHBOARD_API_MAX_PROJECTS_PER_TEAM: '20',
  DASHBOARD_API_LOG_LEVEL: 'silent',
}

/** The servers, by name: how each is started in a folder, the Cookie headers of sessions, and what sets it back. */
const servers = {
  async production(folder) {
    const database = join(folder, 'live.db')
    await makeDatabase(database, size)
    return { server: await startNode({ database, env }), cookies: signedCookies(size.teams) }
  },
  /** Its log is short, so that it is soon as large as it gets. */
  async mock(folder) {
    const fixtures = join(folder, 'fixtures.json')
    writeFileSync(fixtures, JSON.stringify(stateOf(size)))
    const server = await startServer(
      ['dev', '--port', '0', '--json', '--fixtures', fixtures, '--log-size', '200'],
      { env: { NODE_ENV: 'development' } },
    )
    return {
      server,
      cookies: ['session=session-0', 'session=session-1', 'session=active'],
      // The mock has no settings for small teams.
      async setBack() {
        const json = { 'content-type': 'application/json' }
        const reset = { method: 'POST', headers: json, body: '{}' }
        const { ok, status } = await fetch(new URL('/__dev/reset', server.url), reset)
        if (!ok) throw new Error(`The mock was not reset: status ${status}`)
      },
    }
  },
  /** The control: its parser of bodies has a bug. */
  async faulty() {
    const program = fileURLToPath(new URL('../fuzz/faulty-server.js', import.meta.url))
    return { server: await startProgram(process.execPath, [program]), cookies: signedCookies(size.teams) }
  },
}

/** Sends requests to a server, half of them framed and pipelined on kept connections, half with broken bytes. */
const fuzz = (name, { rounds, random }) =>
  withFolder(async ({ folder, onEnd }) => {
    const { server, cookies, setBack = () => {} } = await servers[name](folder)
    onEnd(server.kill)
    const url = new URL(server.url)
    const { framed, broken } = createRequests(random, cookies)
    const counts = { requests: 0, answers: 0, wrong: 0, exits: 0, faults: [] }
    const kinds = new Map()
    const report = (fault, bytes = Buffer.alloc(0)) => {
      counts.wrong += 1
      const [kind] = fault.split(':')
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      if (kinds.get(kind) <= shown)
        counts.faults.push(`${fault}: ${JSON.stringify(bytes.subarray(0, 2_000).toString('latin1'))}`)
    }
    const memory = []
    let batches = Promise.resolve()
    const worker = async () => {
      while (counts.requests < rounds && counts.wrong < enough) {
        const before = counts.requests
        if (random.chance(0.5)) {
          const pipeline = Array.from({ length: 1 + random.below(16) }, framed)
          counts.requests += pipeline.length
          const answers = await sendPipeline(url, pipeline, codes, report)
          counts.answers += answers
        } else {
          counts.requests += 1
          const answers = await sendBroken(url, broken(), codes, report)
          counts.answers += answers
        }
        memory.push({ part: before / rounds, mb: rssMb(server.pid) })
        if (Math.floor(before / batch) < Math.floor(counts.requests / batch)) batches = batches.then(setBack)
        await batches
      }
    }
    const probe = startProbe(url, { path: '/v1/auth/me' })
    await Promise.all(Array.from({ length: connections }, worker))
    const { refused } = await probe.stop()
    if (refused > 0) report(`${refused} requests of a client in parallel were not served`)
    const [first, last] = [warmUp, end].map(([from, to]) => {
      const samples = memory.filter(({ part }) => part >= from && part < to)
      return percentile(
        samples.map(({ mb }) => mb),
        0.5,
      )
    })
    const grownMb = Math.round(last - first)
    if (rounds >= requestsForMemory && grownMb > mostMb) report(`the memory grew by ${grownMb} MB`)
    if (!server.isRunning()) counts.exits = 1
    return { ...counts, grownMb }
  })

const drill = (name, subject, rounds, quickRounds) => ({
  name,
  promise: `No request makes ${subject} fail, whatever its bytes are.`,
  fault: 'Mutated requests over raw sockets, pipelined and one by one, on 48 connections',
  target: `0 exits, 0 responses with 5xx, every error in the form of the contract, at most ${mostMb} MB more memory`,
  rounds,
  quickRounds,
  make: ({ server = subject, ...options }) => fuzz(server, options),
  none: { exits: 'exits', wrong: 'wrong responses' },
  some: { requests: 'requests', answers: 'responses' },
})

export const hostileInput = {
  ...drill('hostile-input', 'production', 1_000_000, 10_000),
  hasQuickControl: true,
  controls: [{ fault: 'A parser of bodies with a bug', server: 'faulty', rounds: 2_000, caught: ['wrong'] }],
}
/** The control is that of `hostile-input`. */
export const hostileInputToMock = drill('hostile-input-to-mock', 'mock', 150_000, 3_000)
