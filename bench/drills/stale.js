// `npm run drills:stale`: reads from three nodes of the service over one PostgreSQL, while 20 commits a second are made through
// them. A response is stale if it lacks a commit that was acknowledged before its request was sent. Fails if one is, or
// if the check does not find the stale responses of nodes with a defect.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { commitNumberIn, nameFor } from '../speed/commit-number.js'
import { openConnection } from '../speed/connection.js'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { writeSection } from './document.js'
import { send, sessionsOf, withPostgres, withThreeNodes } from './three-nodes.js'

const { values: flags } = parseArgs({
  options: {
    // How many reads are checked.
    reads: { type: 'string', default: '1000000' },
    // The address of a running PostgreSQL, with the right to create databases.
    server: { type: 'string' },
    // Prints the figures only; otherwise they are written to docs/reliability.md too.
    print: { type: 'boolean', default: false },
  },
})
const reads = Number(flags.reads)
/** The control ends when it has found the defect, but not before so many reads. */
const controlReads = reads / 50
const controlMs = 60_000

const teams = 5
const commitMs = 50
const revocationMs = 200
const connectionsPerNode = 8
const paths = ['/v1/projects', '/v1/auth/me']
const cookies = signedCookies(teams)
/** More than a run can revoke. */
const sessions = sessionsOf({ count: 20_000, teams, permissions: [] })

const state = stateOf({ teams, projects: 20 })
state.sessions.push(...sessions.map(({ record }) => record))

/** Reads from nodes while commits are made through them, and revokes sessions, as long as it should. Gives the counts. */
async function countStale({ urls }, shouldGoOn) {
  /** The number of each team's last acknowledged commit. */
  const acknowledged = Array(teams).fill(0)
  const counts = { reads: 0, commits: 0, stale: 0, revoked: 0, accepted: 0, unexpected: 0 }
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
    const url = urls[number % urls.length]
    const body = { name: nameFor(number) }
    const { status } = await send(url, 'PATCH', `/v1/projects/${id}`, { cookie: cookies[team], body })
    if (status !== 200) {
      counts.unexpected += 1
      return
    }
    counts.commits += 1
    acknowledged[team] = number
  }
  /** Ends a session that every node has just accepted, and uses it again at every node. */
  const revoke = async (number) => {
    const { cookie } = sessions[counts.revoked]
    const use = () =>
      Promise.all(urls.map(async (url, i) => (await send(url, 'GET', paths[i % 2], { cookie })).status))
    if ((await use()).some((status) => status !== 200)) counts.unexpected += 1
    const { status } = await send(urls[number % urls.length], 'POST', '/auth/sign-out', { cookie })
    if (status !== 204) counts.unexpected += 1
    counts.revoked += 1
    counts.accepted += (await use()).filter((again) => again !== 401).length
  }
  /** Calls it with the numbers from 1, at even intervals. */
  const often = async (intervalMs, run) => {
    for (let count = 1; goesOn(); count += 1) {
      await run(count)
      await sleep(started + count * intervalMs - performance.now())
    }
  }

  const readers = urls.flatMap((url) => Array.from({ length: connectionsPerNode }, () => readOften(url)))
  const committers = acknowledged.map((_, team) => often(commitMs * teams, (count) => commit(team, count)))
  await Promise.all([...committers, often(revocationMs, revoke), ...readers])
  return { ...counts, seconds: (performance.now() - started) / 1000 }
}

const lateNode = new URL('late-node.js', import.meta.url).pathname
const { nodes, control } = await withPostgres(flags.server, async (server) => ({
  nodes: await withThreeNodes(server, { state }, (service) =>
    countStale(service, ({ sent }) => sent < reads),
  ),
  control: await withThreeNodes(server, { state, program: lateNode }, (service) =>
    countStale(
      service,
      ({ sent, stale, accepted, ms }) =>
        sent < controlReads || ((stale === 0 || accepted === 0) && ms < controlMs),
    ),
  ),
}))
console.log(JSON.stringify({ nodes, control }))

const isSound = (counts) => counts.stale === 0 && counts.accepted === 0
const failures = [
  !isSound(nodes) && 'the nodes sent stale responses, or accepted a revoked session',
  (control.stale === 0 || control.accepted === 0) && 'the check does not find the defect of the control',
  nodes.unexpected + control.unexpected > 0 && 'requests were not answered as expected',
].filter(Boolean)
for (const failure of failures) console.error(failure)
if (failures.length > 0) process.exitCode = 1

if (!flags.print) {
  const whole = (number) => Math.round(number).toLocaleString('en')
  const row = (name, counts) =>
    `| ${[name, whole(counts.reads), `${whole(counts.commits)}, ${whole(counts.commits / counts.seconds)} a second`, whole(counts.stale), whole(counts.revoked), whole(counts.accepted)].join(' | ')} |`
  writeSection(
    'stale',
    `## What was acknowledged is seen

Generated by \`npm run drills:stale\` on ${new Date().toISOString().slice(0, 10)}, with Node ${process.version}: three nodes over one PostgreSQL, ${connectionsPerNode} connections to each. Lists and session bundles of ${teams} teams are read
from all nodes while all of them commit in turn. A response is stale if it lacks a commit that was acknowledged
before its request was sent. Sessions that every node has just accepted are ended at one node and used again at all of
them. The nodes of the control ask what changed every 50 ms only.

| | reads | commits | stale | sessions ended | accepted afterwards |
|---|--:|--:|--:|--:|--:|
${row('three nodes', nodes)}
${row('three nodes with the defect', control)}
`,
  )
}
