// A process whose clock is ahead starts beside one whose clock is right, and would remove what has not expired.
import { stateOf } from '../speed/dataset.js'
import { createClient } from './client.js'
import { countingDrill } from './counting.js'
import { waitUntil, withNodes } from './database.js'
import { sessionsOf } from './sessions.js'
import { metricsToken, silentPlaces } from './what-node-says.js'

const preload = new URL('shifted-clock.js', import.meta.url).href
const hourMs = 3_600_000
const shifts = { '13 hours': 13 * hourMs, '500 days': 500 * 24 * hourMs }
const teams = 2
/** Sessions that last for twelve hours; of them are signed out, so that the audit log has entries; and that have ended. */
const [lasting, signedOut, ended] = [20, 5, 5]
/** How long the removal of what has expired may take, in ms. */
const removalMs = 10_000

const countOf = async (query, table) =>
  Number((await query(`SELECT count(*) AS count FROM ${table}`))[0].count)

/** What a program does that removes by its own clock. */
async function removeByOwnClock(query, now) {
  const at = (ms) => new Date(now - ms).toISOString()
  await query('DELETE FROM sessions WHERE expires_at <= $1', [at(0)])
  const old = at(400 * 24 * hourMs)
  await query('UPDATE audit_retention SET removed_before = $1', [old])
  await query('DELETE FROM audit_log WHERE at < $1', [old])
}

/** Starts a process with a wrong clock. @returns what it does not say, and not do rightly */
async function startAhead({ kind, startNode, shiftMs, cookie }) {
  const env = { DRILL_SHIFT_MS: String(shiftMs), DASHBOARD_API_METRICS_TOKEN: metricsToken }
  const node = await startNode({ preload, env })
  const send = createClient(node.url)
  try {
    // The check of the clock, and what would be removed, take a moment.
    const isOff = (text) => /clock/i.test(text)
    const skewOf = (metrics) => /^dashboard_api_clock_skew_seconds(?:{[^}]*})? (\S+)/m.exec(metrics)?.[1]
    const says = {
      'the log': isOff,
      // A file has no clock of its own to compare with.
      ...(kind === 'postgres' && {
        '/metrics': (metrics) => Math.abs(Number(skewOf(metrics))) > 60,
        '/readyz': isOff,
      }),
    }
    const silent = await silentPlaces(node, says, removalMs)
    const faults = silent.map((place) => `${place} says nothing of the clock`)
    const { status } = await send({ path: '/v1/projects', cookie })
    if (kind === 'postgres' && status !== 200) faults.push(`a session that has not ended: status ${status}`)
    return faults
  } finally {
    send.end()
    await node.stop()
  }
}

/** @returns how many sessions and entries of the audit log are gone, and what did not hold */
async function setAhead({ kind, rounds, isDefective = false }) {
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
    // What has expired is removed, by a process whose clock is right.
    const expired = `SELECT id FROM sessions WHERE expires_at < '${new Date(now).toISOString()}'`
    const isRemoved = async () => (await query(expired)).length === 0
    if ((await waitUntil(isRemoved, removalMs)) === undefined) faults.push('a right clock removes nothing')
    for (const { cookie } of sessions.slice(0, signedOut)) {
      const { status } = await send({ method: 'POST', path: '/auth/sign-out', cookie })
      if (status !== 204) faults.push(`a sign-out: status ${status}`)
    }
    const before = { sessions: await countOf(query, 'sessions'), entries: await countOf(query, 'audit_log') }
    const open = sessions.slice(signedOut, lasting)
    for (let round = 0; round < rounds; round += 1)
      for (const [ahead, shiftMs] of Object.entries(shifts)) {
        const { cookie } = open[0]
        if (isDefective) await removeByOwnClock(query, Date.now() + shiftMs)
        else
          faults.push(
            ...(await startAhead({ kind, startNode, shiftMs, cookie })).map(
              (fault) => `${ahead} ahead: ${fault}`,
            ),
          )
      }
    const after = { sessions: await countOf(query, 'sessions'), entries: await countOf(query, 'audit_log') }
    for (const { cookie } of isDefective ? [] : open) {
      const { status } = await send({ path: '/v1/projects', cookie })
      if (status !== 200) faults.push(`a session that has not ended, with a right clock: status ${status}`)
    }
    return {
      gone: before.sessions - after.sessions,
      erased: Math.max(0, before.entries - after.entries),
      before,
      faults,
    }
  })
}

const drill = (kind, database, more) =>
  countingDrill({
    name: `wrong-clock-${kind}`,
    promise: `A process whose clock is wrong removes nothing, and says so (${database}).`,
    fault:
      'Processes whose clocks are 13 hours and 500 days ahead started beside one that is right: sessions that last for twelve hours, and the audit log of today',
    target: `0 sessions and 0 entries gone; ${kind === 'postgres' ? 'the log, /metrics and /readyz say' : 'the log says'} that the clock is wrong; a right clock still removes what has expired`,
    rounds: 5,
    quickRounds: 1,
    hasQuickControl: true,
    ...more,
    make: (options) => setAhead({ kind, ...options }),
    none: { gone: 'sessions are gone', erased: 'entries of the audit log are gone' },
    figure: ({ gone, erased, before }, { rounds }) =>
      `${gone} of ${before.sessions} sessions and ${erased} of ${before.entries} entries of the audit log gone after ${2 * rounds} starts`,
    control: {
      options: { rounds: 1, isDefective: true },
      caught: ['gone', 'erased'],
      figure: ({ gone, erased }) =>
        `a program that removes by its own clock takes ${gone} sessions and ${erased} entries`,
    },
  })

export const wrongClockSqlite = drill('sqlite', 'SQLite')
export const wrongClockPostgres = drill('postgres', 'PostgreSQL', { needsPostgres: true })
