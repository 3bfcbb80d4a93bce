// Reads from three nodes of the service over one PostgreSQL, while 20 commits a second are made through them. A response is stale
// if it lacks a commit that was acknowledged before its request was sent.
import { setTimeout as sleep } from 'node:timers/promises'
import { commitNumberIn, nameFor } from '../speed/commit-number.js'
import { openConnection } from '../speed/connection.js'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { countingDrill } from './counting.js'
import { withNodes } from './database.js'

const teams = 5
const commitMs = 50
const connectionsPerNode = 8
const paths = ['/v1/projects', '/v1/auth/me']
const cookies = signedCookies(teams)
const controlMs = 60_000

/** Reads from nodes while commits are made through them, as long as it should. Gives the counts. */
async function countStale({ nodes, connect }, shouldGoOn) {
  /** The number of each team's last acknowledged commit. */
  const acknowledged = Array(teams).fill(0)
  const counts = { reads: 0, commits: 0, stale: 0, unexpected: 0, faults: [] }
  let sent = 0
  const started = performance.now()
  const goesOn = () => shouldGoOn({ ...counts, sent, ms: performance.now() - started })

  const read = async (connection, host, i) => {
    const team = i % teams
    const known = acknowledged[team]
    const path = paths[i % paths.length]
    const head = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\ncookie: ${cookies[team]}\r\n\r\n`
    const { status, bytes } = await connection.request(Buffer.from(head))
    counts.reads += 1
    if (status !== 200) counts.unexpected += 1
    // Before the first commit the project has another name.
    else if (known > 0 && !(commitNumberIn(bytes) >= known)) counts.stale += 1
  }
  const readOften = async (url) => {
    const { hostname, port, host } = new URL(url)
    const connection = await openConnection({ hostname, port, collectBytes: true })
    while (goesOn()) {
      sent += 1
      await read(connection, host, sent)
    }
    connection.end()
  }

  /** A team's commits are made one after the other, so that their numbers grow. */
  const commit = async (team, count) => {
    const number = count * teams + team
    const { id } = projectOf(team, 0)
    const body = { name: nameFor(number) }
    const request = { method: 'PATCH', path: `/v1/projects/${id}`, cookie: cookies[team], body }
    const { status } = await clients[number % clients.length](request)
    if (status !== 200) {
      counts.unexpected += 1
      return
    }
    counts.commits += 1
    acknowledged[team] = number
  }
  /** Calls it with the numbers from 1, at even intervals. */
  const often = async (intervalMs, run) => {
    for (let count = 1; goesOn(); count += 1) {
      await run(count)
      await sleep(started + count * intervalMs - performance.now())
    }
  }

  const readers = nodes.flatMap(({ url }) => Array.from({ length: connectionsPerNode }, () => readOften(url)))
  const clients = connect()
  const committers = acknowledged.map((_, team) => often(commitMs * teams, (count) => commit(team, count)))
  await Promise.all([...committers, ...readers])
  return counts
}

/** @param options.defect of the nodes; `goesOn`, by default as often as there are rounds */
const readFromThree = ({ defect, rounds, goesOn = ({ sent }) => sent < rounds }) =>
  withNodes({ kind: 'postgres', count: 3, state: stateOf({ teams, projects: 20 }), defect }, (made) =>
    countStale(made, goesOn),
  )

export const staleReads = countingDrill({
  name: 'stale-reads',
  promise: 'What one node acknowledged is seen at every node at once.',
  fault: `Lists and session bundles of ${teams} teams read from three nodes over PostgreSQL, while 20 commits a second are made through all of them`,
  target: '0 stale responses',
  rounds: 1_000_000,
  quickRounds: 2_000,
  needsPostgres: true,
  make: readFromThree,
  none: { stale: 'stale responses', unexpected: 'requests were not answered as expected' },
  some: { commits: 'no commit was made' },
  figure: ({ reads, commits, stale }) =>
    `${stale} of ${reads.toLocaleString('en')} responses stale, with ${commits.toLocaleString('en')} commits`,
  control: {
    options: {
      defect: 'late',
      // It ends when it has found the defect.
      goesOn: ({ sent, stale, ms }) => sent < 1_000 || (stale === 0 && ms < controlMs),
    },
    caught: ['stale'],
    figure: ({ stale, reads }) =>
      `of nodes that answer reads from memory for 50 ms, ${stale} of ${reads.toLocaleString('en')} responses are stale`,
  },
})
