// Ends sessions that every process has just accepted, in every way there is, and uses them again at once.
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createRandom } from '../fuzz/random.js'
import { projectOf, signedCookies, stateOf } from '../speed/dataset.js'
import { countingDrill } from './counting.js'
import { withNodes } from './database.js'
import { executable } from './processes.js'
import { sessionsOf } from './sessions.js'
import { openDatabase } from './stored.js'

const teams = 5
const workers = 12
const readers = 8
const paths = ['/v1/projects', '/v1/auth/me']
/** One session in so many is ended by the command line, which takes a process for each. */
const commandEvery = 50
const controlMs = 60_000

/** @param goesOn is given the counts, and whether to go on */
async function revoke({ rounds, seed, goesOn = () => true, ...options }) {
  const random = createRandom(seed)
  const cookies = signedCookies(teams)
  const sessions = sessionsOf({ count: rounds, teams })
  const state = stateOf({ teams, projects: 5 })
  state.sessions.push(...sessions.map(({ record }) => record))
  return withNodes({ ...options, state }, async ({ nodes, connect, database }) => {
    const other = await openDatabase(database)
    const counts = {
      revoked: 0,
      uses: 0,
      accepted: 0,
      'sign-out': 0,
      'command line': 0,
      'another process': 0,
    }
    const faults = []
    const began = performance.now()
    let isDone = false
    let next = 0

    const signOut = async (cookie, node) =>
      (await node({ method: 'POST', path: '/auth/sign-out', cookie })).status === 204
    const byCommand = async (id) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [executable, 'session', 'revoke', id, '--json'],
        {
          env: { ...process.env, DASHBOARD_API_DATABASE: database },
        },
      )
      return stdout.length > 0
    }
    const end = async (number, { cookie, record }, connections) => {
      const way = number % commandEvery === 0 ? 'command line' : random.pick(['sign-out', 'another process'])
      counts[way] += 1
      if (way === 'command line') return byCommand(record.id)
      if (way === 'sign-out') return signOut(cookie, random.pick(connections))
      return other.revokeSession(record.id, new Date().toISOString())
    }
    const work = async () => {
      const connections = connect()
      const use = ({ cookie }) =>
        Promise.all(
          connections.map(async (send) => (await send({ path: random.pick(paths), cookie })).status),
        )
      while (next < rounds && goesOn({ ...counts, ms: performance.now() - began })) {
        const number = next
        next += 1
        const session = sessions[number]
        const before = await use(session)
        if (before.some((status) => status !== 200))
          faults.push(`session ${number} was not accepted: ${before}`)
        if (!(await end(number, session, connections))) faults.push(`session ${number} could not be ended`)
        const after = await use(session)
        counts.revoked += 1
        counts.uses += after.length
        counts.accepted += after.filter((status) => status === 200).length
        if (after.some((status) => status !== 401)) faults.push(`session ${number} was accepted: ${after}`)
      }
    }
    /** Other sessions are used meanwhile, and projects written. */
    const read = async (i) => {
      const send = connect()[i % nodes.length]
      const team = i % teams
      for (let count = 1; !isDone; count += 1) {
        const isWrite = count % 20 === 0
        const { status } = await send({
          cookie: cookies[team],
          path: isWrite ? `/v1/projects/${projectOf(team, 0).id}` : random.pick(paths),
          ...(isWrite && { method: 'PATCH', body: { status: `after ${count}` } }),
        })
        if (status !== 200) faults.push(`another session: status ${status}`)
        await sleep(1)
      }
    }
    const reading = Array.from({ length: readers }, (_, i) => read(i))
    await Promise.all(Array.from({ length: workers }, work))
    isDone = true
    await Promise.all(reading)
    await other.close()
    return { ...counts, faults }
  })
}

const whole = (number) => number.toLocaleString('en')

const ways = ['sign-out', 'command line', 'another process']

const drill = ({ kind, count, ...rest }) =>
  countingDrill({
    promise: 'A session that was ended, by whichever process, is refused from the next request on.',
    target: '0 accepted',
    rounds: 5_000,
    quickRounds: 80,
    ...rest,
    make: (options) => revoke({ kind, count, ...options }),
    none: {},
    figure: (counts) =>
      `${counts.accepted} of ${whole(counts.uses)} uses of ${whole(counts.revoked)} ended sessions accepted (${ways.map((way) => `${way}: ${whole(counts[way])}`).join(', ')})`,
    control: {
      options: {
        rounds: 2_000,
        goesOn: ({ accepted, ms }) => accepted === 0 && ms < controlMs,
        defect: 'late',
        env: { DRILL_LATE_MS: '1000' },
      },
      caught: ['accepted'],
      figure: ({ accepted, uses, revoked }) =>
        `nodes that answer reads from memory for a second accept ${accepted} of ${uses} uses of ${revoked} ended sessions`,
    },
  })

export const revocationSqlite = drill({
  name: 'revocation-sqlite',
  hasQuickControl: true,
  fault:
    'Sessions that two processes over one SQLite file have just accepted are ended under load: by sign-out at either, by the command line, by another process',
  kind: 'sqlite',
  count: 2,
})

export const revocationPostgres = drill({
  name: 'revocation-postgres',
  fault:
    'Sessions that three nodes over one PostgreSQL have just accepted are ended under load: by sign-out at any, by the command line, by another process',
  needsPostgres: true,
  kind: 'postgres',
  count: 3,
})
