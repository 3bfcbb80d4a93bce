// One process of PostgreSQL is killed, as the system does that runs out of memory. PostgreSQL then ends all connections and
// recovers from its log by itself, without a new start time, and hands out again the ids of transactions that the log does
// not have: of aborted ones, and of those that wrote unlogged tables alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { countingDrill } from './counting.js'
import { withNodes } from './database.js'
import { sessionsOf } from './sessions.js'

const teams = 4
const idsSpent = 200
/** How long the service may take to work again, and how often a client asks, in ms. */
const recoveryMs = 20_000
const retryMs = 20

const permissions = ['create:projects', 'update:projects']
const cookies = signedCookies(teams)
const list = (team) => ({ path: '/v1/projects', cookie: cookies[team] })
const patch = (team, status) => ({
  method: 'PATCH',
  path: `/v1/projects/${projectOf(team, 0).id}`,
  cookie: cookies[team],
  body: { status },
})

/** Repeats a request as long as the database is not back. */
async function persist(send, request) {
  const end = performance.now() + recoveryMs
  for (;;) {
    const response = await send(request)
    const isUnavailable = response.status === 503 || response.error !== undefined
    if (!isUnavailable || performance.now() > end) return response
    await sleep(retryMs)
  }
}

/** Spends ids of transactions. @returns the last one */
async function spendIds(postgres) {
  const client = await postgres.connect()
  await client.query('CREATE UNLOGGED TABLE IF NOT EXISTS drill_counts (number integer)')
  for (let i = 0; i < idsSpent; i += 1) {
    await client.query('INSERT INTO drill_counts VALUES (1)')
    await client.query('BEGIN; SELECT pg_current_xact_id(); ROLLBACK')
  }
  const { rows } = await client.query('SELECT pg_current_xact_id()::text AS id')
  await client.end()
  return BigInt(rows[0].id)
}

/** Kills the process of a connection, and waits until PostgreSQL accepts connections again. */
async function killBackend(postgres) {
  const victim = await postgres.connect()
  const { rows } = await victim.query('SELECT pg_backend_pid() AS pid')
  const ended = new Promise((resolve) => victim.once('end', resolve))
  process.kill(rows[0].pid, 'SIGKILL')
  await ended
  for (;;) {
    try {
      return await postgres.query('SELECT 1')
    } catch {
      await sleep(retryMs)
    }
  }
}

/** @returns the counts, and what did not hold */
async function kill({ rounds, defect }) {
  const sessions = sessionsOf({ count: rounds * teams, teams, permissions })
  const state = stateOf({ teams, projects: 1 })
  state.sessions.push(...sessions.map(({ record }) => record))
  // What is not flushed by a commit stays in memory, as on a machine that is busy.
  const settings = { wal_writer_delay: '10s' }
  return withNodes({ kind: 'postgres', count: 3, state, settings, defect }, async ({ connect, postgres }) => {
    const clients = connect()
    const [writer, ...readers] = clients
    const counts = { stale: 0, accepted: 0, reused: 0, commits: 0, recoveredMs: 0 }
    const faults = []
    const expect = (round, what, { status, error, text }, wanted) => {
      if (status !== wanted) faults.push(`round ${round}: ${what}: ${error ?? `${status} ${text}`}`)
    }
    for (let round = 0; round < rounds; round += 1) {
      const ending = sessions.slice(round * teams, (round + 1) * teams)
      const readAll = async (what) => {
        for (const send of clients)
          for (let team = 0; team < teams; team += 1) {
            expect(round, what, await send(list(team)), 200)
            expect(round, what, await send({ path: '/v1/auth/me', cookie: ending[team].cookie }), 200)
          }
      }
      await readAll('before ids are used up')
      const lastId = await spendIds(postgres)
      await readAll('before the fault')
      await killBackend(postgres)
      const back = performance.now()

      const value = `after ${round}`
      for (let team = 0; team < teams; team += 1) {
        // Through a node, and by hand.
        if (team % 2 === 0) {
          expect(round, 'an update', await persist(writer, patch(team, value)), 200)
          const signOut = { method: 'POST', path: '/auth/sign-out', cookie: ending[team].cookie }
          expect(round, 'a sign-out', await persist(writer, signOut), 204)
        } else {
          const project = projectOf(team, 0).id
          await postgres.query('UPDATE projects SET status = $1 WHERE id = $2', {
            values: [value, project],
          })
          const revoke = 'UPDATE sessions SET revoked_at = $1 WHERE id = $2'
          await postgres.query(revoke, { values: [new Date().toISOString(), ending[team].record.id] })
        }
      }
      const ids = await postgres.query(
        `SELECT xmin::text AS id FROM projects WHERE status = '${value}'
         UNION ALL SELECT xmin::text FROM sessions WHERE id IN (${ending.map(({ record }) => `'${record.id}'`)})`,
      )
      counts.commits += ids.length
      counts.reused += ids.filter(({ id }) => BigInt(id) <= lastId).length

      for (const [i, send] of readers.entries())
        for (let team = 0; team < teams; team += 1) {
          const { cookie } = ending[team]
          const { status, body, error } = await persist(send, list(team))
          if (status !== 200)
            faults.push(`round ${round}: node ${i + 1} does not recover: ${error ?? status}`)
          else if (body.projects.at(-1).status !== value) counts.stale += 1
          counts.recoveredMs = Math.max(counts.recoveredMs, performance.now() - back)
          const uses = [
            { path: '/v1/auth/me', cookie },
            { method: 'POST', path: '/v1/projects', cookie, body: { name: `Too late ${round} ${i}` } },
          ]
          for (const use of uses) {
            const { status: answered } = await persist(send, use)
            if (answered < 300) counts.accepted += 1
          }
        }
    }
    return { ...counts, faults }
  })
}

export const backendKilled = countingDrill({
  name: 'backend-killed',
  promise: 'A PostgreSQL that recovers by itself is not taken for the one before: nothing old is answered.',
  fault: `The process of one connection of PostgreSQL killed (SIGKILL), after ${2 * idsSpent} ids of transactions were used up by aborted ones and by writes to an unlogged table; then projects updated and sessions ended through one of three nodes and by hand, and both asked of the other two`,
  target: '0 stale lists, 0 uses of ended sessions accepted, every node works again',
  rounds: 20,
  quickRounds: 1,
  needsPostgres: true,
  make: kill,
  none: { stale: 'stale lists', accepted: 'uses of ended sessions accepted' },
  some: { reused: 'no commit had an id that was handed out before' },
  figure: ({ stale, accepted, reused, commits, recoveredMs }, { rounds }) =>
    `${stale} stale lists, ${accepted} uses of ended sessions accepted after ${rounds} kills; ${reused} of ${commits} commits had ids that were handed out before; every node works again within ${(recoveredMs / 1000).toFixed(2)} s`,
  control: {
    options: { rounds: 2, defect: 'transactionIds' },
    caught: ['stale', 'accepted'],
    figure: ({ stale, accepted }) =>
      `nodes that take commits for known by the ids of their transactions answer ${stale} stale lists, and accept ${accepted} uses of ended sessions after 2 kills`,
  },
})
