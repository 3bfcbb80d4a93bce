// Faults of the network between the nodes and PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises'
import { startNetwork, throughPort } from './network.js'
import { faultDrill } from './under-load.js'

const networkDrill = ({ make, holdMs, ...drill }) =>
  faultDrill({
    ...drill,
    async setUp({ postgres, onEnd }) {
      const network = await startNetwork(postgres.port)
      onEnd(network.close)
      const node = { database: throughPort(postgres.url, network.port) }
      return { node, inject: () => make(network), heal: network.pass, holdMs }
    },
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
