import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { signedCookies } from '../speed/dataset.js'
import { withDatabase } from './database.js'
import { startHostileClients } from './hostile-clients.js'
import { percentile } from './percentile.js'
import { startProbe } from './probe.js'
import { watchBusyMachine } from './process-figures.js'
import { startProgram } from './processes.js'

/** With as many as this, from 40 addresses. */
const connections = 2_000
/** What a connection begins with, and what it sends each second. */
const kinds = {
  'slow-heads': { begin: 'GET /v1/projects HTTP/1.1\r\nhost: HOST\r\n', more: 'x-a: b\r\n' },
  'slow-bodies': {
    begin:
      'POST /v1/waitlist HTTP/1.1\r\nhost: HOST\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n{',
    more: ' ',
  },
  idle: {},
}
const names = Object.keys(kinds)
/** How long such a connection may be open, in ms: the limits of the service, and what its checks and the clients' may be late. */
const longestMs = 22_000
const p99Ms = 250

/** The settings of a service on the internet: those of every node of a drill would let one address have all connections. */
const env = { DASHBOARD_API_MAX_CONNECTIONS_PER_ADDRESS: '100', DASHBOARD_API_LOG_LEVEL: 'silent' }

/** A server with Node's defaults. @param isLimited whether it has as many descriptors as systems usually allow */
function startPlain(isLimited) {
  const file = fileURLToPath(new URL('plain-server.js', import.meta.url))
  return isLimited
    ? startProgram('sh', ['-c', 'ulimit -n 1024; exec "$0" "$@"', process.execPath, file])
    : startProgram(process.execPath, [file])
}

/**
 * Attacks a server for a time, beside well-behaved clients of it, one with a kept-alive connection and one with new ones.
 * @param attacks what is started: `kind`, `connections`, `addresses`, `from`
 */
async function attacked({ url, cookie }, attacks, ms) {
  const { host } = new URL(url)
  const running = attacks.map(({ kind, ...from }) => {
    const { begin, more } = kinds[kind]
    // 1,000 connections that are refused are 2,000 new ones a second.
    const options = { addresses: 40, from: '127.0.1.1', againMs: 500, ...from }
    return {
      kind,
      attack: startHostileClients({ url, begin: begin?.replace('HOST', host), more, ...options }),
    }
  })
  // The attack has all its connections.
  await sleep(Math.min(1_000, ms / 4))
  const probes = [true, false].map((isKept) => startProbe(url, { cookie, isKept, pauseMs: 10 }))
  await sleep(ms - Math.min(1_000, ms / 4))
  const clients = await Promise.all(probes.map((probe) => probe.stop()))
  const held = running.map(async ({ kind, attack }) => ({ kind, ms: (await attack.stop()).longestMs }))
  return { clients, held: await Promise.all(held) }
}

/** All three kinds together, and of each some that stay below every limit of their number. */
const mixed = [
  ...names.map((kind) => ({ kind, connections: Math.round(connections / names.length) })),
  ...names.map((kind, i) => ({ kind, connections: 10, addresses: 1, from: `127.0.2.${i + 1}` })),
]

export const slowClients = {
  name: 'slow-clients',
  promise: 'Slow and silent connections lock nobody out.',
  fault: `${connections.toLocaleString('en')} connections from 40 addresses that send a header or a byte of a body each second, or nothing, and come again half a second after they are closed: all kinds at once, then each alone; a round is a second`,
  target: `cut off; p99 of a well-behaved client under ${p99Ms} ms, none refused`,
  rounds: 24,
  quickRounds: 9,
  isAlone: true,
  unavailable: () =>
    process.platform === 'linux'
      ? undefined
      : 'only Linux has all addresses from 127.0.0.1 to 127.255.255.254',
  make: ({ rounds, isPlain = false }) =>
    withDatabase({ kind: 'sqlite' }, async ({ startNode, onEnd }) => {
      const plain = await startPlain(isPlain)
      onEnd(plain.kill)
      const node = isPlain ? plain : await startNode({ env })
      const target = { url: node.url, cookie: signedCookies(1)[0] }
      const beside = isPlain ? undefined : startProbe(plain.url, { isKept: false, pauseMs: 10 })
      const isMachineBusy = watchBusyMachine(node.pid)
      const attacks = [await attacked(target, mixed, rounds * 1_000)]
      for (const kind of isPlain ? [] : names)
        attacks.push(await attacked(target, [{ kind, connections }], rounds * 350))
      const { p99: plainP99 } = (await beside?.stop()) ?? {}
      const isBusy = isMachineBusy()
      const clients = attacks.flatMap((each) => each.clients)
      // Over all attacks: one of a few seconds has so few requests that their p99 is the longest.
      const timesOf = (i) => attacks.flatMap((each) => each.clients[i].times)
      const p99 = Math.max(percentile(timesOf(0), 0.99), percentile(timesOf(1), 0.99))
      const sum = (field) => clients.reduce((total, each) => total + each[field], 0)
      const [sent, refused] = [sum('sent'), sum('refused')]
      const held = names.map((kind) => {
        const times = attacks.flatMap((each) => each.held).filter((each) => each.kind === kind)
        return { kind, ms: Math.max(...times.map(({ ms }) => ms)) }
      })
      const tooLong = held.filter(({ ms }) => ms > longestMs * (isBusy && !isPlain ? 5 : 1))
      const faults = [
        ...tooLong.map(({ kind, ms }) => `a connection (${kind}) was open for ${ms} ms`),
        ...(refused > 0 ? [`${refused} of ${sent} requests of well-behaved clients were not served`] : []),
        ...(p99 < p99Ms || isBusy ? [] : [`the p99 was ${p99} ms`]),
        ...(node.isRunning() ? [] : ['the service ended']),
      ]
      const lives = held.map(({ kind, ms }) => `${kind} ${(ms / 1000).toFixed(1)} s`).join(', ')
      return {
        figure: `cut off after at most: ${lives}; p99 ${p99} ms${beside ? ` (a plain server that is left alone: ${plainP99} ms)` : ''}, ${refused} of ${sent.toLocaleString('en')} refused${isBusy ? ', on a machine that was too busy to judge the p99' : ''}`,
        faults,
        refused,
        tooLong,
      }
    }),
  controls: [
    {
      fault: "Node's defaults, with 1,024 descriptors",
      rounds: 30,
      isPlain: true,
      caught: ['tooLong', 'refused'],
    },
  ],
}
