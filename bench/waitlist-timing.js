// Measures whether the response time of the waitlist tells who has signed up: half of the addresses are known, and two
// attackers guess. One compares the time of a request with a limit that it learned from other addresses; the other
// sends each address twice and compares the two times. Near 50 % the time tells nothing.
// Usage: npm run build && node bench/waitlist-timing.js [addresses]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openSqliteStore } from '../dist/store/sqlite/sqlite-store.js'
import { compileSlowFsync } from './speed/slow-fsync.js'

const count = Number(process.argv[2] ?? 1_000)
const executable = new URL('../bin/dashboard-api.js', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'waitlist-timing-'))

/** A reproducible sequence of numbers below 1. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** @param env of the server */
async function measure(name, env) {
  const random = createRandom(42)
  const addresses = Array.from({ length: count }, (_, i) => ({
    email: `person-${Math.floor(random() * 1e9)}-${i}@example.com`,
    isKnown: random() < 0.5,
  }))
  const database = join(folder, `${name}.db`)
  const others = Array.from(
    { length: 10_000 },
    (_, i) => `other-${Math.floor(random() * 1e9)}-${i}@example.com`,
  )
  const known = addresses.filter(({ isKnown }) => isKnown).map(({ email }) => email)
  const createdAt = new Date().toISOString()
  const waitlist = [...others, ...known].map((email) => ({ email, createdAt }))
  const store = await openSqliteStore(database)
  await store.load({ version: 1, teams: [], users: [], sessions: [], projects: [], waitlist })
  await store.close()

  const server = spawn(
    process.execPath,
    [executable, 'serve', '--port', '0', '--database', database, '--json'],
    {
      env: {
        ...process.env,
        ...env,
        DASHBOARD_API_SESSION_SECRET: 'a-secret-of-more-than-32-bytes-for-benchmarks',
        DASHBOARD_API_WAITLIST_RATE: 'off',
        DASHBOARD_API_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const [line] = await once(createInterface(server.stdout), 'line')
  const { url } = JSON.parse(line)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const signUp = (email) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now()
      const headers = { 'content-type': 'application/json' }
      const sent = request(`${url}/v1/waitlist`, { method: 'POST', agent, headers }, (response) => {
        response.resume().on('end', () => resolve(performance.now() - startedAt))
      })
      sent.on('error', reject).end(JSON.stringify({ email }))
    })
  for (let i = 0; i < 200; i += 1) await signUp(`warm-up-${i}@example.com`)
  for (const address of addresses) {
    address.first = await signUp(address.email)
    address.second = await signUp(address.email)
  }
  agent.destroy()
  server.kill()
  await once(server, 'exit')

  const half = count / 2
  const [learned, guessed] = [addresses.slice(0, half), addresses.slice(half)]
  const right = (all, isKnown) => all.filter((each) => isKnown(each) === each.isKnown).length / all.length
  const limits = learned.map(({ first }) => first).sort((a, b) => a - b)
  const guesses = limits.flatMap((limit) => [({ first }) => first < limit, ({ first }) => first >= limit])
  const best = guesses.reduce((a, b) => (right(learned, b) > right(learned, a) ? b : a))
  const differences = learned.map(({ first, second }) => first - second).sort((a, b) => a - b)
  const pairs = differences.map((limit) => (each) => each.first - each.second < limit)
  const bestPair = pairs.reduce((a, b) => (right(learned, b) > right(learned, a) ? b : a))
  const median = (all) => all.map(({ first }) => first).sort((a, b) => a - b)[Math.floor(all.length / 2)]
  return {
    disk: name,
    addresses: count,
    'known, median ms': median(addresses.filter(({ isKnown }) => isKnown)).toFixed(2),
    'new, median ms': median(addresses.filter(({ isKnown }) => !isKnown)).toFixed(2),
    'one request, right': `${(100 * right(guessed, best)).toFixed(1)} %`,
    'two requests, right': `${(100 * right(guessed, bestPair)).toFixed(1)} %`,
  }
}

try {
  console.table([
    await measure('as it is', {}),
    await measure('slow', { LD_PRELOAD: compileSlowFsync(folder) }),
  ])
} finally {
  rmSync(folder, { recursive: true })
}
