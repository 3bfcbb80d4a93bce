import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDailyUse } from './daily-use.js'
import { withDatabase } from './database.js'
import { fastClock } from './fast-clock-time.js'
import { growth } from './growth.js'
import { percentile } from './percentile.js'
import { startProbe } from './probe.js'
import { descriptors, rssMb } from './process-figures.js'
import { startProgram } from './processes.js'
import { storedIn } from './stored.js'

/** The clock of the service runs so many times as fast: a day takes six minutes. */
const factor = 240
const sampleMs = 2_000
const minute = 60_000
/** What may be more in the last third than in the first, after the warm-up. */
const limits = { memoryMb: 30, descriptors: 10, fileMb: 4, logMb: 16 }
/** In a shorter run the service still reaches the memory that it needs anyhow, and the audit log the age that it keeps. */
const shortMs = 15 * minute
const shortLimits = { ...limits, memoryMb: 60, fileMb: 40 }
/** How much slower the p99 may become, beside that of a plain server. */
const p99Factor = 1.5

const pathTo = (name) => fileURLToPath(new URL(name, import.meta.url))
const sizeMb = (file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1024 / 1024

/**
 * How much slower the requests became, in thirds of the time after the warm-up: the p99 of each part of the time beside that of
 * the plain server.
 */
function drift(requests, plainRequests, lastedMs) {
  const partMs = Math.max(10_000, lastedMs / 60)
  const p99In = (all, from) => {
    const part = all.filter(({ at }) => at >= from && at < from + partMs)
    return percentile(
      part.map(({ ms }) => ms),
      0.99,
    )
  }
  const ratios = []
  for (let at = 0; at + partMs <= lastedMs; at += partMs)
    ratios.push({ at, ratio: p99In(requests, at) / p99In(plainRequests, at) })
  return growth(ratios, 'ratio')
}

/** Uses the service for so many minutes, and samples what it takes. @param preload a module that is loaded into its process */
const use = ({ rounds, preload = [] }) =>
  withDatabase({ kind: 'sqlite' }, async ({ database, startNode, onEnd }) => {
    const start = Date.now()
    const now = fastClock(factor, start)
    const node = await startNode({
      preload: ['fast-clock.js', preload].flat(),
      env: {
        FAST_CLOCK: String(factor),
        FAST_CLOCK_START: String(start),
        DASHBOARD_API_AUDIT_RETENTION: '1d',
        DASHBOARD_API_WAITLIST_RATE: 'off',
      },
    })
    const plain = await startProgram(process.execPath, [pathTo('plain-server.js')])
    onEnd(plain.kill)

    const daily = await startDailyUse({ url: node.url, database, now })
    const probes = [startProbe(node.url, { cookie: daily.cookie }), startProbe(plain.url)]
    const samples = []
    const began = performance.now()
    const sampling = setInterval(() => {
      samples.push({
        at: performance.now() - began,
        memoryMb: rssMb(node.pid),
        descriptors: descriptors(node.pid),
        fileMb: sizeMb(database),
        logMb: sizeMb(`${database}-wal`),
      })
    }, sampleMs)
    await sleep(rounds * minute)
    clearInterval(sampling)
    const lastedMs = performance.now() - began
    const [{ requests, refused, p99 }, plainly] = await Promise.all(probes.map((probe) => probe.stop()))
    const { faults, sent } = await daily.stop()
    const limit = now() - 30 * minute
    const { sessions } = await storedIn(database)
    const old = sessions.filter(({ expiresAt }) => Date.parse(expiresAt) < limit)
    if (old.length > 0) faults.push(`${old.length} sessions are left that expired half an hour before`)
    if (!node.isRunning()) faults.push('the service ended')
    if (refused > 0) faults.push(`${refused} requests of the probe were not served`)

    const isShort = lastedMs < shortMs
    /** What grew by more than it may. */
    const grown = {}
    const levels = Object.entries(isShort ? shortLimits : limits).map(([name, limit]) => {
      const { first, last } = growth(samples, name)
      grown[name] = Number(last - first > limit)
      if (grown[name]) faults.push(`${name} grew from ${first} to ${last}`)
      return `${name} ${first} → ${last}`
    })
    const { first, last } = drift(requests, plainly.requests, lastedMs)
    // Others use the machine in different ways from minute to minute; in a short run each of them counts.
    if (!isShort && last > first * p99Factor)
      faults.push(`the p99 grew from ${first} to ${last} times that of a plain server`)
    const lasted = `${Math.round(lastedMs / minute)} minutes (${((lastedMs * factor) / 86_400_000).toFixed(1)} days)`
    return {
      figure: `${lasted}, ${sent.toLocaleString('en')} requests: ${levels.join(', ')}; p99 ${p99} ms, beside a plain server ${first} → ${last} times as long`,
      faults,
      ...grown,
    }
  })

export const longRun = {
  name: 'long-run',
  promise: 'Days of use leave nothing behind.',
  fault: `Reads, changes, sign-ins, new and removed teams, and broken connections, about 100 requests a second, while the clock of the service runs ${factor} times as fast: sessions expire, and what is old is removed; a round is a minute`,
  target: 'memory, descriptors, file and log level; the p99 does not drift',
  rounds: 45,
  quickRounds: 1,
  isBackground: true,
  unavailable: () => (process.platform === 'linux' ? undefined : 'what a process takes is read from /proc'),
  make: use,
  controls: [{ fault: 'A leak', rounds: 1, preload: 'leaking.js', caught: ['memoryMb', 'descriptors'] }],
}
