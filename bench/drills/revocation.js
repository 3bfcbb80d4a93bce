// Ends sessions that every process has just accepted, in every way there is, and uses them again at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { projectOf, stateOf } from '../speed/dataset.js'
import { overBoth, withNodes } from './database.js'
import { startCommand } from './processes.js'
import { requestsOfTeams, sessionsOf } from './sessions.js'
import { openDatabase } from './stored.js'

const teams = 5
const workers = 12
const readers = 8
/** One session in so many is ended by the command line, which takes a process for each. */
const commandEvery = 50

async function revoke({ rounds, random, ...options }) {
  const sessions = sessionsOf({ count: rounds, teams })
  const state = stateOf({ teams, projects: 5 })
  state.sessions.push(...sessions.map(({ record }) => record))
  const count = options.kind === 'sqlite' ? 2 : 3
  return withNodes({ ...options, count, state }, async ({ connect, database, onEnd }) => {
    const other = await openDatabase(database)
    onEnd(() => other.close())
    const counts = { revoked: 0, uses: 0, accepted: 0, bySignOut: 0, byCommand: 0, byOther: 0 }
    const faults = []
    // As long as the nodes: the machine may be busy with other drills.
    const env = { DASHBOARD_API_DATABASE: database, DASHBOARD_API_DATABASE_TIMEOUT: '20s' }
    let isDone = false
    let next = 0

    /** The ways to end a session; each resolves with whether it was ended. */
    const ways = {
      async bySignOut({ signOut }, connections) {
        return (await random.pick(connections)(signOut)).status === 204
      },
      async byCommand({ record }) {
        const { code, output } = await startCommand(['session', 'revoke', record.id], env).ended
        if (code !== 0) faults.push(output)
        return code === 0
      },
      byOther: ({ record }) => other.revokeSession(record.id, new Date().toISOString()),
    }
    const readOf = ({ list, bundle }) => random.pick([list, bundle])
    const work = async () => {
      const connections = connect()
      const use = (session) =>
        Promise.all(connections.map(async (send) => (await send(readOf(session))).status))
      while (next < rounds) {
        const number = next
        next += 1
        const session = sessions[number]
        const before = await use(session)
        if (before.some((status) => status !== 200))
          faults.push(`session ${number} was not accepted: ${before}`)
        const way = number % commandEvery === 0 ? 'byCommand' : random.pick(['bySignOut', 'byOther'])
        counts[way] += 1
        if (!(await ways[way](session, connections))) faults.push(`session ${number} could not be ended`)
        const after = await use(session)
        counts.revoked += 1
        counts.uses += after.length
        counts.accepted += after.filter((status) => status === 200).length
        if (after.some((status) => status !== 401)) faults.push(`session ${number} was accepted: ${after}`)
      }
    }
    /** Other sessions are used meanwhile, and projects written. */
    const read = async (_, i) => {
      const connections = connect()
      const requests = others[i % teams]
      const project = projectOf(i % teams, 0).id
      for (let count = 1; !isDone; count += 1) {
        const update = requests.update(project, { status: `after ${count}` })
        const request = count % 20 === 0 ? update : readOf(requests)
        const { status } = await connections[i % connections.length](request)
        if (status !== 200) faults.push(`another session: status ${status}`)
        await sleep(1)
      }
    }
    const others = requestsOfTeams(teams)
    const reading = Array.from({ length: readers }, read)
    await Promise.all(Array.from({ length: workers }, work))
    isDone = true
    await Promise.all(reading)
    return { ...counts, faults }
  })
}

const drill = {
  name: 'revocation',
  promise: 'A session that was ended, by whichever process, is refused from the next request on.',
  fault:
    'Sessions that two processes over one SQLite file, or three nodes over one PostgreSQL, have just accepted are ended under load: by sign-out at any, by the command line, by another process',
  target: '0 accepted',
  rounds: 5_000,
  quickRounds: 24,
  make: revoke,
  none: { accepted: 'uses of ended sessions accepted' },
  some: {
    uses: 'uses',
    revoked: 'sessions ended',
    bySignOut: 'by sign-out',
    byCommand: 'by the command line',
    byOther: 'by another process',
  },
  controls: [
    {
      fault: 'Nodes that answer reads from memory for a second',
      rounds: 60,
      defect: 'late',
      env: { DRILL_LATE_MS: '1000' },
      caught: ['accepted'],
    },
  ],
}
export const revocation = overBoth(drill, { sqlite: { hasQuickControl: true } })
