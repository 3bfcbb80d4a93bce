import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startNetwork } from './network.js'
import { createStandby } from './postgres-server.js'
import { figuresOf, makeFaults, withSetting } from './setting.js'

/** Waits until a primary acknowledges commits only after its standby has them. */
export async function makeSynchronous(primary) {
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await primary.query('SELECT pg_reload_conf()')
  const isSynchronous = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'"
  while ((await primary.query(isSynchronous)).length === 0) await sleep(20)
}

/** The address of a database with two hosts. */
export function addressOfBoth({ url }, { port }, parameters = '') {
  const { host } = new URL(url)
  return `${url.replace(host, `${host},127.0.0.1:${port}`)}${parameters}`
}

/** @param isSynchronous whether a commit waits for the standby, which is 50 ms behind */
const failover = (rounds, isSynchronous) =>
  withSetting(async ({ folder, postgres, onEnd, startNode, startLoad }) => {
    let primary = postgres
    let standby
    const follow = async (target, port) => {
      const network = await startNetwork(primary.port)
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
    const database = addressOfBoth(primary, standby)
    const load = startLoad([await startNode({ database }), await startNode({ database })])
    const made = await makeFaults(load, rounds, {
      inject: () => primary.kill(),
      async heal() {
        await standby.query('SELECT pg_promote()')
      },
      async afterRound() {
        const { folder, port } = primary
        primary = standby
        await follow(folder, port)
      },
    })
    return { faults: made.faults, ...(await figuresOf(load, primary, made)) }
  })

export const postgresFailover = {
  name: 'postgres-failover',
  fault: 'The primary killed (SIGKILL), and its synchronous standby promoted; both hosts in the address',
  rounds: 20,
  quickRounds: 1,
  limits: { successMs: 1_000 },
  run: ({ rounds }) => failover(rounds, true),
  async control() {
    const { lost } = await failover(2, false)
    return {
      isCaught: lost > 0,
      figure: `a standby that is not synchronous loses ${lost} writes in 2 rounds`,
    }
  },
}
