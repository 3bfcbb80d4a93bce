import { setTimeout as sleep } from 'node:timers/promises'
import { startNetwork, throughPort } from './network.js'
import { figuresOf, makeFaults, withSetting } from './setting.js'

/** A drill with a network between the nodes and PostgreSQL. */
const networkDrill = ({ name, fault, make, holdMs, ...rest }) => ({
  name,
  fault,
  ...rest,
  run: ({ rounds }) =>
    withSetting(async ({ postgres, onEnd, startNode, startLoad }) => {
      const network = await startNetwork(postgres.port)
      onEnd(network.close)
      const database = throughPort(postgres.url, network.port)
      const load = startLoad([await startNode({ database }), await startNode({ database })])
      const made = await makeFaults(load, rounds, {
        inject: () => make(network),
        heal: network.pass,
        holdMs,
      })
      return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
    }),
})

export const networkStalled = networkDrill({
  name: 'network-stalled',
  fault: 'The network to PostgreSQL stalls for 4 s: nothing arrives, nothing is refused',
  rounds: 10,
  quickRounds: 1,
  limits: { successMs: 1_000 },
  make: (network) => network.stall(),
  holdMs: 4_000,
})

export const networkReset = networkDrill({
  name: 'network-reset',
  fault: 'The network resets every connection to PostgreSQL, 20 times a second for a second',
  rounds: 30,
  quickRounds: 2,
  limits: { successMs: 1_000 },
  async make(network) {
    for (let i = 0; i < 20; i += 1) {
      network.reset()
      await sleep(50)
    }
  },
  holdMs: 0,
})

export const networkDelayed = networkDrill({
  name: 'network-delayed',
  fault:
    'PostgreSQL answers after 3 s, for 8 s, and what is under way then arrives up to 1.5 s later; the time limit is 2 s',
  rounds: 6,
  quickRounds: 1,
  // A second after the last delayed byte.
  limits: { successMs: 2_500 },
  make: (network) => network.delay(1_500),
  holdMs: 8_000,
})
