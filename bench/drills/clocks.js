// The clocks of two processes over one file are set forward and back, while sessions end and ids are made.
import { createRandom } from '../fuzz/random.js'
import { stateOf } from '../speed/dataset.js'
import { countingDrill } from './counting.js'
import { withNodes } from './database.js'
import { sessionsOf } from './sessions.js'

const preload = new URL('shifted-clock.js', import.meta.url).href
const hourMs = 3_600_000
const teams = 4
const sessionCount = 48
const creationsOfRound = 20

/** @returns the counts, and what did not hold */
async function setClocks({ rounds, seed, defect }) {
  const random = createRandom(seed)
  const began = Date.now()
  // The last of them outlive every clock: at any time some sessions are accepted.
  const ends = Array.from(
    { length: sessionCount },
    (_, i) => began + (i < 40 ? (i + 1) * hourMs : 1_000_000 * hourMs),
  )
  const sessions = sessionsOf({
    count: sessionCount,
    teams,
    permissions: ['create:projects'],
    endOf: (i) => new Date(ends[i]).toISOString(),
  })
  const state = { ...stateOf({ teams, projects: 1 }), sessions: sessions.map(({ record }) => record) }
  // The idle time is not what is tried here.
  const env = { DASHBOARD_API_SESSION_IDLE: '3650d' }
  return withNodes({ kind: 'sqlite', count: 2, state, env, preload, defect }, async ({ nodes, connect }) => {
    const clients = connect()
    const shifts = nodes.map(() => 0)
    /** The ids that each process made, in the order of its responses. */
    const ids = nodes.map(() => [])
    const counts = { uses: 0, accepted: 0, outlived: 0, unordered: 0 }
    const faults = []

    const use = async (i, session) => {
      const { status } = await clients[i]({
        path: random.pick(['/v1/projects', '/v1/auth/me']),
        cookie: sessions[session].cookie,
      })
      // The clock at the request's start: what had ended then must be refused.
      return status
    }
    for (let round = 1; round <= rounds; round += 1) {
      const i = random.below(nodes.length)
      // Mostly hours, forward and back; at times just past the end of a session, or just before it.
      shifts[i] = random.chance(0.5)
        ? (random.below(60) - 12) * hourMs
        : ends[random.below(40)] - Date.now() + random.pick([-60_000, 1, 1_000])
      await nodes[i].tell(shifts[i])

      for (const session of Array.from({ length: sessionCount }, (_, session) => session)) {
        const clock = Date.now() + shifts[i]
        const status = await use(i, session)
        counts.uses += 1
        if (status === 200) counts.accepted += 1
        if (status === 200 && clock >= ends[session]) {
          counts.outlived += 1
          faults.push(`round ${round}: a session was accepted ${clock - ends[session]} ms after its end`)
        }
        if (status !== 200 && ends[session] > began + 10_000 * hourMs)
          faults.push(`round ${round}: a session that has not ended: status ${status}`)
      }
      // One after the other, so that the order of responses is that of the ids.
      for (let creation = 0; creation < creationsOfRound; creation += 1) {
        const { cookie } = sessions[sessionCount - 1 - random.below(teams)]
        const body = { name: `Round ${round} of process ${i}, ${creation}` }
        const { status, body: created } = await clients[i]({
          method: 'POST',
          path: '/v1/projects',
          cookie,
          body,
        })
        if (status !== 201) faults.push(`round ${round}: a creation: status ${status}`)
        else ids[i].push(created.project.id)
      }
      const { body } = await clients[i]({ path: '/v1/projects', cookie: sessions[sessionCount - 1].cookie })
      const times = body.projects.map(({ createdAt }) => createdAt)
      if (times.join() !== times.toSorted().reverse().join())
        faults.push(`round ${round}: the list is not in the order of createdAt (4.2)`)
    }
    counts.unordered = ids.flatMap((of) => of.filter((id, i) => i > 0 && !(of[i - 1] < id))).length
    const all = ids.flat()
    return {
      ...counts,
      refused: counts.uses - counts.accepted,
      ids: all.length,
      repeated: all.length - new Set(all).size,
      faults,
    }
  })
}

export const clocks = countingDrill({
  name: 'clocks',
  promise:
    'No session outlives its end, and ids stay unique, and ordered in a process, when the clock of a machine is set.',
  fault:
    'The clocks of two processes over one SQLite file set forward by up to two days and back, and to just before or after the end of a session, while 48 sessions are used and projects created',
  target: '0 accepted after their end; 0 ids repeated or out of order',
  rounds: 150,
  quickRounds: 10,
  hasQuickControl: true,
  make: setClocks,
  none: {
    outlived: 'uses accepted after the end of the session',
    unordered: 'ids are not greater than the one before',
    repeated: 'ids were made twice',
  },
  some: { accepted: 'no use was accepted', refused: 'no use was refused' },
  figure: ({ uses, outlived, ids }) =>
    `${outlived} of ${uses.toLocaleString('en')} uses accepted after the end of the session; ${ids.toLocaleString('en')} ids, unique and in order`,
  control: {
    options: { rounds: 4, defect: 'stoppedClock' },
    caught: ['outlived', 'unordered'],
    figure: ({ outlived, unordered, ids }) =>
      `of nodes with a clock that stands still and random ids, ${outlived} sessions outlive their end, and ${unordered} of ${ids} ids are out of order`,
  },
})
