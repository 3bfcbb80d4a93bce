// One process of PostgreSQL is killed, as the system does that runs out of memory. PostgreSQL then ends all connections and
// recovers from its log by itself, without a new start time, and hands out again the ids of transactions that the log does
// not have: of aborted ones, and of those that wrote unlogged tables alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, stateOf } from '../speed/dataset.js'
import { persist } from './client.js'
import { withNodes } from './database.js'
import { requestsOfTeams, sessionsOf } from './sessions.js'

const teams = 4
const idsSpent = 200

const permissions = ['create:projects', 'update:projects']
const requests = requestsOfTeams(teams)

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
      await sleep(20)
    }
  }
}

async function kill({ rounds, defect }) {
  const sessions = sessionsOf({ count: rounds * teams, teams, permissions })
  const state = stateOf({ teams, projects: 1 })
  state.sessions.push(...sessions.map(({ record }) => record))
  // What is not flushed by a commit stays in memory, as on a machine that is busy.
  const settings = { wal_writer_delay: '10s' }
  return withNodes({ kind: 'postgres', count: 3, state, settings, defect }, async ({ connect, postgres }) => {
    const clients = connect()
    const [writer, ...readers] = clients
    const counts = { kills: rounds, stale: 0, accepted: 0, reused: 0, commits: 0, recoveredMs: 0, faults: [] }
    const change = (sql, ...values) => postgres.query(sql, { values })
    for (let round = 0; round < rounds; round += 1) {
      const expect = (what, { status, error, text }, wanted) => {
        if (status !== wanted) counts.faults.push(`round ${round}: ${what}: ${error ?? `${status} ${text}`}`)
      }
      const ending = sessions.slice(round * teams, (round + 1) * teams)
      const readAll = async (what) => {
        for (const send of clients)
          for (const [team, { list }] of requests.entries()) {
            expect(what, await send(list), 200)
            expect(what, await send(ending[team].bundle), 200)
          }
      }
      await readAll('before ids are used up')
      const lastId = await spendIds(postgres)
      await readAll('before the fault')
      await killBackend(postgres)
      const back = performance.now()

      const status = `after ${round}`
      for (const [team, { update }] of requests.entries()) {
        const { id } = projectOf(team, 0)
        const { signOut, record } = ending[team]
        // Through a node, and by hand.
        if (team % 2 === 0) {
          expect('an update', await persist(writer, update(id, { status })), 200)
          expect('a sign-out', await persist(writer, signOut), 204)
        } else {
          await change('UPDATE projects SET status = $1 WHERE id = $2', status, id)
          const now = new Date().toISOString()
          await change('UPDATE sessions SET revoked_at = $1 WHERE id = $2', now, record.id)
        }
      }
      const ids = await change(
        `SELECT xmin::text AS id FROM projects WHERE status = $1
         UNION ALL SELECT xmin::text FROM sessions WHERE id = ANY($2)`,
        status,
        ending.map(({ record }) => record.id),
      )
      counts.commits += ids.length
      counts.reused += ids.filter(({ id }) => BigInt(id) <= lastId).length

      for (const [i, send] of readers.entries())
        for (const [team, { list }] of requests.entries()) {
          const listed = await persist(send, list)
          expect(`node ${i + 1} does not recover`, listed, 200)
          if (listed.status === 200 && listed.body.projects.at(-1).status !== status) counts.stale += 1
          counts.recoveredMs = Math.max(counts.recoveredMs, performance.now() - back)
          const { bundle, create } = ending[team]
          for (const use of [bundle, create(`Too late ${round} ${i}`)])
            if ((await persist(send, use)).status < 300) counts.accepted += 1
        }
    }
    return counts
  })
}

export const backendKilled = {
  name: 'backend-killed',
  promise: 'A PostgreSQL that recovers by itself is not taken for the one before: nothing old is answered.',
  fault: `The process of one connection of PostgreSQL killed (SIGKILL), after ${2 * idsSpent} ids of transactions were used up by aborted ones and by writes to an unlogged table; then projects updated and sessions ended through one of three nodes and by hand, and both asked of the other two`,
  target: '0 stale lists, 0 uses of ended sessions accepted, every node works again',
  rounds: 20,
  quickRounds: 1,
  needsPostgres: true,
  make: kill,
  none: { stale: 'stale lists', accepted: 'uses of ended sessions accepted' },
  some: { kills: 'kills', commits: 'commits', reused: 'with ids that were handed out before' },
  limits: { recoveredMs: 20_000 },
  controls: [
    {
      fault: 'Nodes that take commits for known by the ids of their transactions',
      rounds: 2,
      defect: 'transactionIds',
      caught: ['stale', 'accepted'],
    },
  ],
}
