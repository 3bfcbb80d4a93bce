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
const maxGrowthMb = 50
/** With fewer requests the memory is not compared: it has not reached its normal size. */
const requestsForMemory = 100_000
/** The memory is compared between these parts of the run: after the warm-up, and at the end. */
const [warmUp, end] = [
  [0.1, 0.2],
  [0.9, Number.POSITIVE_INFINITY],
]
/** The mock is reset after this many requests. */
const batch = 5_000
/** How many findings of a kind are shown, and after how many of all kinds the drill ends. */
const [maxShown, maxFindings] = [3, 1_000]

/** No rate limit of sign-ups, so that they reach the handler; few projects per team, so that lists stay short. */
const env = {
  DASHBOARD_API_WAITLIST_RATE: 'off',
  DASHBOARD_API_MAX_PROJECTS_PER_TEAM: '20',
  DASHBOARD_API_LOG_LEVEL: 'silent',
}

/** Starts each server in a folder. @returns it, the Cookie headers of sessions, and a function that resets the data */
const servers = {
  async production(folder) {
    const database = join(folder, 'live.db')
    await makeDatabase(database, size)
    return { server: await startNode({ database, env }), cookies: signedCookies(size.teams) }
  },
  /** A short request log soon reaches its full size. */
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
      // The mock has no limit of projects that would keep its lists short.
      async reset() {
        const json = { 'content-type': 'application/json' }
        const request = { method: 'POST', headers: json, body: '{}' }
        const { ok, status } = await fetch(new URL('/__dev/reset', server.url), request)
        if (!ok) throw new Error(`The mock was not reset: status ${status}`)
      },
    }
  },
  /** The control: a server with a bug in its body parser. */
  async faulty() {
    const program = fileURLToPath(new URL('../fuzz/faulty-server.js', import.meta.url))
    return { server: await startProgram(process.execPath, [program]), cookies: signedCookies(size.teams) }
  },
}

/** Sends requests to a server: half of them framed and pipelined on kept-alive connections, half with broken bytes. */
const fuzz = (name, { rounds, random }) =>
  withFolder(async ({ folder, onEnd }) => {
    const { server, cookies, reset = () => {} } = await servers[name](folder)
    onEnd(server.kill)
    const url = new URL(server.url)
    const { framed, broken } = createRequests(random, cookies)
    const counts = { requests: 0, answers: 0, wrong: 0, exits: 0, faults: [] }
    const kinds = new Map()
    const report = (fault, bytes = Buffer.alloc(0)) => {
      counts.wrong += 1
      const [kind] = fault.split(':')
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      if (kinds.get(kind) <= maxShown)
        counts.faults.push(`${fault}: ${JSON.stringify(bytes.subarray(0, 2_000).toString('latin1'))}`)
    }
    const memory = []
    let batches = Promise.resolve()
    const worker = async () => {
      while (counts.requests < rounds && counts.wrong < maxFindings) {
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
        if (Math.floor(before / batch) < Math.floor(counts.requests / batch)) batches = batches.then(reset)
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
    if (rounds >= requestsForMemory && grownMb > maxGrowthMb) report(`the memory grew by ${grownMb} MB`)
    if (!server.isRunning()) counts.exits = 1
    return { ...counts, grownMb }
  })

const drill = (name, subject, rounds, quickRounds) => ({
  name,
  promise: `No request makes ${subject} fail, whatever its bytes are.`,
  fault: 'Mutated requests over raw sockets, pipelined and one by one, on 48 connections',
  target: `0 exits, 0 responses with 5xx, every error in the form of the contract, at most ${maxGrowthMb} MB more memory`,
  rounds,
  quickRounds,
  run: ({ server = subject, ...options }) => fuzz(server, options),
  mustBeZero: { exits: 'exits', wrong: 'wrong responses' },
  mustNotBeZero: { requests: 'requests', answers: 'responses' },
})

export const hostileInput = {
  ...drill('hostile-input', 'production', 1_000_000, 10_000),
  hasQuickControl: true,
  controls: [{ fault: 'A body parser with a bug', server: 'faulty', rounds: 2_000, caught: ['wrong'] }],
}
/** `hostile-input` has the control for both. */
export const hostileInputToMock = drill('hostile-input-to-mock', 'mock', 150_000, 3_000)
