// A process whose clock is ahead starts beside one whose clock is right, and would remove what has not expired.
import { stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { overBoth, waitUntil, withNodes } from './database.js'
import { sessionsOf } from './sessions.js'
import { metricsToken, silentPlaces } from './what-node-says.js'

const preload = 'shifted-clock.js'
const hourMs = 3_600_000
const shifts = { '13 hours': 13 * hourMs, '500 days': 500 * 24 * hourMs }
const teams = 2
/** Sessions that last for twelve hours; of them are signed out, so that the audit log has entries; and that have ended. */
const [lasting, signedOut, ended] = [20, 5, 5]
/** How long the removal of what has expired may take, in ms. */
const removalMs = 10_000

/** What a program does that removes by its own clock. */
async function removeByOwnClock(query, now) {
  const at = (ms) => new Date(now - ms).toISOString()
  await query('DELETE FROM sessions WHERE expires_at <= $1', [at(0)])
  const old = at(400 * 24 * hourMs)
  await query('UPDATE audit_retention SET removed_before = $1', [old])
  await query('DELETE FROM audit_log WHERE at < $1', [old])
}

/** Starts a process with a wrong clock. @returns what it does not say, and not do rightly */
async function startAhead({ kind, startNode, shiftMs, list }) {
  const env = { DRILL_SHIFT_MS: String(shiftMs), DASHBOARD_API_METRICS_TOKEN: metricsToken }
  const node = await startNode({ preload, env })
  const send = createClient(node.url)
  const isOff = (text) => /clock/i.test(text)
  const skewOf = (metrics) => /^dashboard_api_clock_skew_seconds(?:{[^}]*})? (\S+)/m.exec(metrics)?.[1]
  // A file has no clock of its own to compare with.
  const ofServer = { '/metrics': (metrics) => Math.abs(Number(skewOf(metrics))) > 60, '/readyz': isOff }
  try {
    // The check of the clock, and what would be removed, take a moment.
    const silent = await silentPlaces(
      node,
      { 'the log': isOff, ...(kind === 'postgres' && ofServer) },
      removalMs,
    )
    const { status } = await send(list)
    const isRefused = kind === 'postgres' && status !== 200
    return [
      ...silent.map((place) => `${place} says nothing of the clock`),
      ...(isRefused ? [`a session that has not ended: status ${status}`] : []),
    ]
  } finally {
    send.end()
    await node.stop()
  }
}

async function setAhead({ kind, rounds, removesByOwnClock = false }) {
  const now = Date.now()
  const sessions = sessionsOf({
    count: lasting + ended,
    teams,
    endOf: (i) => new Date(now + (i < lasting ? 12 : -1) * hourMs).toISOString(),
  })
  const state = stateOf({ teams, projects: 1 })
  state.sessions.push(...sessions.map(({ record }) => record))
  return withNodes({ kind, count: 1, state }, async ({ connect, query, startNode }) => {
    const [send] = connect()
    const faults = []
    const countOf = async (table) => Number((await query(`SELECT count(*) AS count FROM ${table}`))[0].count)
    const expect = async (request, wanted) => {
      const { status } = await send(request)
      if (status !== wanted)
        faults.push(`with a right clock ${request.path}: status ${status}, expected ${wanted}`)
    }
    // What has expired is removed, by a process whose clock is right.
    const expired = `SELECT id FROM sessions WHERE expires_at < '${new Date(now).toISOString()}'`
    const isRemoved = async () => (await query(expired)).length === 0
    if ((await waitUntil(isRemoved, removalMs)) === undefined) faults.push('a right clock removes nothing')
    for (const { signOut } of sessions.slice(0, signedOut)) await expect(signOut, 204)
    const open = sessions.slice(signedOut, lasting)
    const [kept, entries] = [await countOf('sessions'), await countOf('audit_log')]
    let starts = 0
    for (; starts < 2 * rounds; starts += 1) {
      const [ahead, shiftMs] = Object.entries(shifts)[starts % 2]
      if (removesByOwnClock) await removeByOwnClock(query, Date.now() + shiftMs)
      else
        for (const fault of await startAhead({ kind, startNode, shiftMs, list: open[0].list }))
          faults.push(`${ahead} ahead: ${fault}`)
    }
    const gone = kept - (await countOf('sessions'))
    const erased = Math.max(0, entries - (await countOf('audit_log')))
    for (const { list } of open) await expect(list, 200)
    return { gone, erased, kept, entries, starts, faults }
  })
}

export const wrongClock = overBoth({
  name: 'wrong-clock',
  promise: 'A process whose clock is wrong removes nothing, and says so ({database}).',
  fault:
    'Processes whose clocks are 13 hours and 500 days ahead started beside one that is right: sessions that last for twelve hours, and the audit log of today',
  target:
    '0 sessions and 0 entries gone; the log says that the clock is wrong, and over PostgreSQL /metrics and /readyz; a right clock still removes what has expired',
  rounds: 5,
  quickRounds: 1,
  hasQuickControl: true,
  make: setAhead,
  none: { gone: 'sessions gone', erased: 'entries of the audit log gone' },
  some: { kept: 'sessions', entries: 'entries', starts: 'starts' },
  controls: [
    {
      fault: 'A program that removes by its own clock',
      rounds: 1,
      removesByOwnClock: true,
      caught: ['gone', 'erased'],
    },
  ],
})
