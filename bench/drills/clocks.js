// The clocks of two processes over one file are set forward and back, while sessions end and ids are made.
import { stateOf } from '../speed/dataset.js'
import { withNodes } from './database.js'
import { sessionsOf } from './sessions.js'

const preload = 'shifted-clock.js'
const hourMs = 3_600_000
const teams = 4
/** Sessions that end one hour after the other, and sessions that outlive every clock: at any time some are accepted. */
const [ending, lasting] = [40, 8]
const creationsOfRound = 20

async function setClocks({ rounds, random, defect }) {
  const began = Date.now()
  const endOf = (i) => began + (i < ending ? i + 1 : 1_000_000) * hourMs
  const sessions = sessionsOf({
    count: ending + lasting,
    teams,
    permissions: ['create:projects'],
    endOf: (i) => new Date(endOf(i)).toISOString(),
  })
  const state = { ...stateOf({ teams, projects: 1 }), sessions: sessions.map(({ record }) => record) }
  // The idle time is not what is tried here.
  const env = { DASHBOARD_API_SESSION_IDLE: '3650d' }
  return withNodes({ kind: 'sqlite', count: 2, state, env, preload, defect }, async ({ nodes, connect }) => {
    const clients = connect()
    const shifts = nodes.map(() => 0)
    /** The ids that each process made, in the order of its responses. */
    const ids = nodes.map(() => [])
    const counts = { uses: 0, accepted: 0, outlived: 0, faults: [] }

    for (let round = 1; round <= rounds; round += 1) {
      const i = random.below(nodes.length)
      const fault = (what) => counts.faults.push(`round ${round}: ${what}`)
      // Mostly hours, forward and back; at times just past the end of a session, or just before it.
      shifts[i] = random.chance(0.5)
        ? (random.below(60) - 12) * hourMs
        : endOf(random.below(ending)) - Date.now() + random.pick([-60_000, 1, 1_000])
      await nodes[i].tell(shifts[i])

      for (const [session, { list, bundle }] of sessions.entries()) {
        // The clock at the request's start: what had ended then must be refused.
        const clock = Date.now() + shifts[i]
        const { status } = await clients[i](random.pick([list, bundle]))
        counts.uses += 1
        if (status === 200) counts.accepted += 1
        if (status === 200 && clock >= endOf(session)) {
          counts.outlived += 1
          fault(`a session was accepted ${clock - endOf(session)} ms after its end`)
        }
        if (status !== 200 && session >= ending) fault(`a session that has not ended: status ${status}`)
      }
      // One after the other, so that the order of responses is that of the ids.
      const { list, create } = random.pick(sessions.slice(-teams))
      for (let creation = 0; creation < creationsOfRound; creation += 1) {
        const { status, body } = await clients[i](create(`Round ${round} of process ${i}, ${creation}`))
        if (status !== 201) fault(`a creation: status ${status}`)
        else ids[i].push(body.project.id)
      }
      const times = (await clients[i](list)).body.projects.map(({ createdAt }) => createdAt)
      if (times.join() !== times.toSorted().reverse().join())
        fault('the list is not in the order of createdAt (4.2)')
    }
    const all = ids.flat()
    return {
      ...counts,
      unordered: ids.flatMap((of) => of.filter((id, i) => i > 0 && !(of[i - 1] < id))).length,
      repeated: all.length - new Set(all).size,
      refused: counts.uses - counts.accepted,
      ids: all.length,
    }
  })
}

export const clocks = {
  name: 'clocks',
  promise:
    'No session outlives its end, and ids stay unique, and ordered in a process, when the clock of a machine is set.',
  fault:
    'The clocks of two processes over one SQLite file set forward by up to two days and back, and to just before or after the end of a session, while 48 sessions are used and projects created',
  target: '0 accepted after their end; 0 ids repeated or out of order',
  rounds: 150,
  quickRounds: 6,
  hasQuickControl: true,
  make: setClocks,
  none: {
    outlived: 'uses accepted after the end of the session',
    unordered: 'ids out of order',
    repeated: 'ids repeated',
  },
  some: { uses: 'uses', accepted: 'accepted', refused: 'refused', ids: 'ids' },
  controls: [
    {
      fault: 'Nodes with a clock that stands still and random ids',
      rounds: 4,
      defect: 'stoppedClock',
      caught: ['outlived', 'unordered'],
    },
  ],
}
