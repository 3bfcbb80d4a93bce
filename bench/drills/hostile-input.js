import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors } from '../../dist/contract/errors.js'
import { fuzz } from '../fuzz/fuzz.js'
import { makeDatabase, signedCookies, stateOf } from '../speed/dataset.js'
import { rssMb } from './process-figures.js'
import { startNode, startProgram, startServer } from './processes.js'
import { withFolder } from './with-folder.js'

const teams = 3
const projects = 5
const mostMb = 50
/** With fewer requests the memory still grows to what the server needs anyhow. */
const requestsForMemory = 100_000

/** No rate is limited, so that requests reach the handlers; teams stay small, so that their lists do. */
const env = {
  DASHBOARD_API_WAITLIST_RATE: 'off',
  DASHBOARD_API_SIGN_IN_RATE: 'off',
  DASHBOARD_API_PROJECTS_RATE: 'off',
  DASHBOARD_API_MAX_PROJECTS_PER_TEAM: '1000',
  DASHBOARD_API_MAX_TEAM_BYTES: '1000000',
  DASHBOARD_API_LOG_LEVEL: 'silent',
}

/** The servers, by name: how each is started in a folder, and what is done between batches of requests. */
const servers = {
  async production(folder) {
    const database = join(folder, 'live.db')
    await makeDatabase(database, { teams, projects })
    return { server: await startNode({ database, env }), cookies: signedCookies(teams) }
  },
  /** Its log is short, so that it is soon as large as it gets. */
  async mock(folder) {
    const fixtures = join(folder, 'fixtures.json')
    writeFileSync(fixtures, JSON.stringify(stateOf({ teams, projects })))
    const server = await startServer(
      ['dev', '--port', '0', '--json', '--fixtures', fixtures, '--log-size', '200'],
      { env: { NODE_ENV: 'development' } },
    )
    return {
      server,
      cookies: ['session=session-0', 'session=session-1', 'session=active'],
      // The mock has no settings for small teams.
      async onBatch() {
        const { ok, status } = await fetch(new URL('/__dev/reset', server.url), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
        if (!ok) throw new Error(`The mock was not reset: status ${status}`)
      },
    }
  },
  /** The control: its parser of bodies has a bug. */
  faulty: async () => ({
    server: await startProgram(process.execPath, [
      fileURLToPath(new URL('../fuzz/faulty-server.js', import.meta.url)),
    ]),
    cookies: signedCookies(teams),
  }),
}

const fuzzed = (name, { rounds, seed }) =>
  withFolder(async ({ folder, onEnd }) => {
    const { server, ...subject } = await servers[name](folder)
    onEnd(server.kill)
    const found = await fuzz({
      ...subject,
      url: new URL(server.url),
      requests: rounds,
      seed,
      codes: new Set(Object.keys(errors)),
      rssMb: () => rssMb(server.pid),
    })
    const { requests, answers, grownMb, findings } = found
    const faults = findings.map(({ fault, request }) => `${fault}: ${JSON.stringify(request)}`)
    if (!server.isRunning()) faults.push('the server ended')
    if (rounds >= requestsForMemory && grownMb > mostMb) faults.push(`the memory grew by ${grownMb} MB`)
    return { requests, answers, grownMb, faults, wrong: found.faults, exits: Number(!server.isRunning()) }
  })

const drill = (name, subject, rounds, quickRounds) => ({
  name,
  promise: `No request makes ${subject} fail, whatever its bytes are.`,
  fault: 'Mutated requests over raw sockets, pipelined and one by one, on 48 connections',
  target: `0 exits, 0 responses with 5xx, every error in the form of the contract, at most ${mostMb} MB more memory`,
  rounds,
  quickRounds,
  make: ({ server = subject, ...options }) => fuzzed(server, options),
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
