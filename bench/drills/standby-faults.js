// Faults of a primary with a standby.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNetwork, throughPort } from './network.js'
import { createStandby, startStandby } from './postgres-server.js'
import { faultDrill } from './under-load.js'

/** Waits until a primary acknowledges commits only after its standby has them. */
async function makeSynchronous(primary) {
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await primary.query('SELECT pg_reload_conf()')
  const isSynchronous = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'"
  while ((await primary.query(isSynchronous)).length === 0) await sleep(20)
}

async function startSynchronous({ postgres, ...setting }) {
  const standby = await startStandby(postgres, setting)
  await makeSynchronous(postgres)
  return standby
}

/** Observes the load for a time, in which reads must succeed and writes be 503. Returns what was not so. */
async function outcomesDuring(load, ms) {
  const from = load.history.length
  await sleep(ms)
  const meanwhile = load.history.slice(from).filter(({ outcome }) => outcome !== undefined)
  const areAll = (isRead, wanted) => {
    const requests = meanwhile.filter(({ kind }) => (kind === 'read') === isRead)
    return requests.length > 0 && requests.every(({ outcome }) => outcome === wanted)
  }
  return [
    ...(areAll(true, 'ok') ? [] : ['reads did not go on']),
    ...(areAll(false, 'unavailable') ? [] : ['a write was not 503']),
  ]
}

export const postgresFailover = faultDrill({
  name: 'postgres-failover',
  fault:
    'The primary killed (SIGKILL), and its synchronous standby promoted; one address, whose balancer then leads to the standby',
  rounds: 20,
  quickRounds: 1,
  async setUp({ folder, postgres, onEnd }, { isSynchronous = true }) {
    let primary = postgres
    let standby
    let network
    /** The standby is 50 ms behind. */
    const follow = async (target, port) => {
      network = await startNetwork(primary.port)
      onEnd(network.close)
      network.delay(25)
      standby = await createStandby(primary, target, { port, follows: network.port })
      await standby.start()
      if (isSynchronous) await makeSynchronous(primary)
    }
    onEnd(async () => {
      await primary.stop()
      await standby.stop()
    })
    await follow(join(folder, 'standby'))
    const balancer = await startNetwork(primary.port)
    onEnd(balancer.close)
    return {
      node: { database: throughPort(primary.url, balancer.port) },
      server: () => primary,
      async inject() {
        // One that nobody waits for may be further behind.
        if (!isSynchronous) {
          network.stall()
          await sleep(300)
        }
        await primary.kill()
      },
      async heal() {
        await standby.query('SELECT pg_promote()')
        balancer.lead(standby.port)
      },
      async afterRound() {
        const { folder, port } = primary
        primary = standby
        await follow(folder, port)
      },
    }
  },
  controls: [
    { fault: 'A standby that is not synchronous', rounds: 2, isSynchronous: false, caught: ['lost'] },
  ],
})

export const standbyLost = faultDrill({
  name: 'standby-lost',
  fault: 'The synchronous standby is down for 8 s: reads go on, writes are 503',
  rounds: 5,
  quickRounds: 1,
  async setUp(setting) {
    const { postgres } = setting
    const standby = await startSynchronous(setting)
    return {
      inject: standby.kill,
      async duringFault(load) {
        await sleep(1_000)
        return outcomesDuring(load, 7_000)
      },
      async heal() {
        await standby.start()
        await makeSynchronous(postgres)
      },
    }
  },
})
