import { createBalancedClient, createClient, watchNodes } from './client.js'
import { faultDrill } from './under-load.js'

/** What a client has of a write that was sent to the node that was killed: its outcome is not known. */
const isUnknown = (outcome) => /^(ECONNRESET|socket hang up)$/.test(outcome)

export const nodeKilled = faultDrill({
  name: 'node-killed',
  fault: 'One of three nodes behind a balancer killed (SIGKILL), and started again',
  rounds: 30,
  quickRounds: 2,
  limits: { successMs: 1_000, unavailable: 0 },
  isExpected: isUnknown,
  async setUp({ onEnd, startNode }, { isBalanced = true }) {
    const nodes = await Promise.all([startNode(), startNode(), startNode()])
    const watch = watchNodes(nodes.map(({ url }) => url))
    onEnd(watch.close)
    return {
      nodes,
      newClient: (i) => (isBalanced ? createBalancedClient(watch) : createClient(nodes[i % 3].url)),
      inject: (round) => nodes[round % 3].kill(),
      async heal(round) {
        const { port } = nodes[round % 3]
        nodes[round % 3] = await startNode({ port })
      },
    }
  },
  async control(make) {
    const { others } = await make(5, { isBalanced: false })
    const failed = Object.entries(others)
      .filter(([outcome]) => !isUnknown(outcome))
      .reduce((sum, [, count]) => sum + count, 0)
    return {
      isCaught: failed > 0,
      figure: `without a balancer ${failed} requests fail in 5 rounds`,
    }
  },
})
