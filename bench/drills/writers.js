// 64 clients write through three nodes of the service over one PostgreSQL, into shared teams. What was acknowledged is compared
// with the database: a write may not be missing, be there twice, or be there unacknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectBytes } from '../../dist/contract/limits.js'
import { projectOf, stateOf } from '../speed/dataset.js'
import { withNodes } from './database.js'
import { sessionsOf } from './sessions.js'

const teams = 4
const writers = 64
const permissions = ['create:projects', 'update:projects']

/** Makes all writes. Gives what was acknowledged, and what was not answered as expected. */
async function write(connect, sessions, rounds) {
  const made = {
    /** By id: the team, the name that was acknowledged last, and when the creation was `sent` and `answered`. */
    projects: new Map(),
    /** Refused creations: team, name, and when they were answered. */
    refused: [],
    /** Updates of the project that a team shares: team, status, and when they were `sent` and `answered`. */
    updates: [],
    /** How often each address joined. */
    joined: new Map(),
    ended: [],
    requests: 0,
    unexpected: [],
  }
  const runWriter = async (writer) => {
    let next = writer
    const team = writer % teams
    const clients = connect()
    const call = async (expected, request) => {
      made.requests += 1
      next += 1
      const sent = performance.now()
      const answer = await clients[next % clients.length](request)
      if (!expected.includes(answer.status))
        made.unexpected.push(`${request.method} ${request.path}: ${answer.status} ${answer.text}`)
      return { ...answer, sent, answered: performance.now() }
    }
    for (let round = 0; round < rounds; round += 1) {
      // A multiple of the teams apart: all sessions of a writer are of its team.
      const { record, ...requests } = sessions[writer + round * writers]
      const create = async (name, expected) => {
        const request = requests.create(name, { description: `Of writer ${writer}` })
        const { status, body, sent, answered } = await call(expected, request)
        if (status === 201) made.projects.set(body.project.id, { team, name, sent, answered })
        if (status === 409) made.refused.push({ team, name, answered })
        return body?.project?.id
      }
      const rename = async (id, name, expected) => {
        const { status } = await call(expected, requests.update(id, { name }))
        if (status === 200) made.projects.get(id).name = name
      }
      const join = async (email) => {
        const { status } = await call([200], { method: 'POST', path: '/v1/waitlist', body: { email } })
        if (status === 200) made.joined.set(email, (made.joined.get(email) ?? 0) + 1)
      }

      const own = await create(`Own ${writer} ${round}`, [201])
      const other = await create(`Other ${writer} ${round}`, [201])
      await create(`Shared ${round}`, [201, 409])
      await rename(own, `Renamed ${writer} ${round}`, [200])
      await rename(other, `renamed ${writer} ${round}`, [409])
      const status = `${writer} ${round}`
      const shared = projectOf(team, 0).id
      const { sent, answered } = await call([200], requests.update(shared, { status }))
      made.updates.push({ team, status, sent, answered })
      await join(`writer-${writer}-${round}@example.com`)
      await join(`shared-${round}@example.com`)
      const { status: ended } = await call([204], requests.signOut)
      if (ended === 204) made.ended.push(record.id)
      await call([401], requests.update(shared, { status: 'after the session' }))
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => runWriter(writer)))
  return made
}

/** What names tell: two creations of one name may both succeed if they were concurrent, and only then (4.1, rule 2). */
function wrongNames({ projects, refused }) {
  const byName = new Map()
  for (const project of projects.values()) {
    const key = `${project.team} ${project.name}`
    byName.set(key, [...(byName.get(key) ?? []), project])
  }
  const again = [...byName].filter(([, created]) => {
    const first = Math.min(...created.map(({ answered }) => answered))
    return created.some(({ sent }) => sent > first)
  })
  const free = refused.filter(
    ({ team, name, answered }) => !byName.get(`${team} ${name}`)?.some(({ sent }) => sent < answered),
  )
  return [
    ...again.map(([name]) => `"${name}" was created again`),
    ...free.map(({ name }) => `"${name}" was refused, and nobody had created it`),
  ]
}

/** Compares what was acknowledged with what the database holds, each as lines of text. Gives a sentence for each difference. */
async function differences(made, query) {
  const stored = await query('SELECT * FROM projects')
  const told = [...made.projects].map(([id, { team, name }]) => [id, `team-${team}`, name])
  for (let team = 0; team < teams; team += 1) {
    const { id, name } = projectOf(team, 0)
    told.push([id, `team-${team}`, name])
  }
  const sizes = Array.from({ length: teams }, (_, team) => {
    const own = stored.filter(({ team_id }) => team_id === `team-${team}`)
    return [`team-${team}`, own.length, own.reduce((sum, project) => sum + projectBytes(project), 0)]
  })
  const replaced = ({ id, status }) => {
    const updates = made.updates.filter(({ team }) => projectOf(team, 0).id === id)
    const last = updates.find((update) => update.status === status)
    return updates.length > 0 && !(last && updates.every(({ sent }) => sent <= last.answered))
  }
  const compared = [
    ['project', told, 'SELECT id, team_id, name FROM projects'],
    ['size', sizes, "SELECT scope, projects, bytes::int FROM changes WHERE scope LIKE 'team-%'"],
    ['address', [...made.joined], 'SELECT email, submissions FROM waitlist'],
    ['ended session', made.ended.map((id) => [id]), 'SELECT id FROM sessions WHERE revoked_at IS NOT NULL'],
  ]
  const faults = wrongNames(made)
  for (const { id, status } of stored.filter(replaced))
    faults.push(`project ${id} has the status "${status}", which was replaced`)
  for (const [what, rows, sql] of compared) {
    const expected = new Set(rows.map((row) => row.join(' ')))
    const found = new Set((await query(sql)).map((row) => Object.values(row).join(' ')))
    for (const line of expected) if (!found.has(line)) faults.push(`${what} ${line} is lost`)
    for (const line of found) if (!expected.has(line)) faults.push(`${what} ${line}: nobody was told of it`)
  }
  return faults
}

/** Each of these has to be found as a difference. */
const damages = [
  'DELETE FROM projects WHERE id = (SELECT id FROM projects ORDER BY position DESC LIMIT 1)',
  `INSERT INTO projects (team_id, id, name, name_key, status, created_at)
     SELECT team_id, 'twice', name, name_key, status, created_at FROM projects LIMIT 1`,
  "UPDATE projects SET name = 'Lost' WHERE id = (SELECT max(id) FROM projects WHERE name LIKE 'Renamed%')",
  `UPDATE projects SET status = '0 0' WHERE id = '${projectOf(0, 0).id}'`,
  "UPDATE changes SET projects = projects + 1 WHERE scope = 'team-1'",
  'DELETE FROM waitlist WHERE email = (SELECT min(email) FROM waitlist)',
  "UPDATE waitlist SET submissions = submissions + 1 WHERE email = 'shared-0@example.com'",
  'UPDATE sessions SET revoked_at = NULL WHERE id = (SELECT max(id) FROM sessions WHERE revoked_at IS NOT NULL)',
]

/** PostgreSQL counts the deadlocks of a connection by the time at which it has ended. */
async function countDeadlocks(query) {
  const others = 'FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
  while ((await query(`SELECT ${others}`)).length > 0) await sleep(20)
  const [row] = await query('SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()')
  return row.deadlocks
}

/** Each of the damages is its control, and is made behind the back of what it found right. */
async function compareAll({ rounds }) {
  // Each client ends one session in each round.
  const sessions = sessionsOf({ count: writers * rounds, teams, permissions })
  const state = { ...stateOf({ teams, projects: 1 }), sessions: sessions.map(({ record }) => record) }
  return withNodes({ kind: 'postgres', count: 3, state }, async ({ nodes, connect, postgres, onEnd }) => {
    const made = await write(connect, sessions, rounds)
    await Promise.all(nodes.map((node) => node.stop()))
    const client = await postgres.connect()
    onEnd(() => client.end())
    const query = async (sql) => (await client.query(sql)).rows
    const faults = [...made.unexpected, ...(await differences(made, query))]
    const deadlocks = await countDeadlocks(query)
    const unseen = []
    for (const damage of damages) {
      await query('BEGIN')
      await query(damage)
      if ((await differences(made, query)).length === 0) unseen.push(`not found: ${damage}`)
      await query('ROLLBACK')
    }
    return {
      faults: [...faults, ...unseen],
      different: faults.length,
      deadlocks,
      unseen,
      requests: made.requests,
      projects: made.projects.size,
      refused: made.refused.length,
    }
  })
}

export const writersAtOnce = {
  name: 'writers',
  promise:
    'No write of many clients is lost, doubled or mixed with another, and writes do not block each other.',
  fault: `${writers} clients create and rename projects, join the waitlist and end sessions through three nodes over PostgreSQL, in ${teams} teams that they share, with names and addresses that they share`,
  target: `0 differences to what was acknowledged; 0 deadlocks; each of ${damages.length} changes behind its back is found`,
  rounds: 50,
  quickRounds: 2,
  needsPostgres: true,
  make: compareAll,
  none: {
    different: 'differences',
    deadlocks: 'deadlocks',
    unseen: 'changes behind its back that were not found',
  },
  some: { requests: 'requests', projects: 'projects', refused: 'refused names' },
}
