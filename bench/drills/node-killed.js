import { createBalancedClient, createClient, watchNodes } from './client.js'
import { figuresOf, makeFaults, withSetting } from './setting.js'

/** @param isBalanced whether each client has a balancer, or one of the nodes */
const killed = (rounds, isBalanced) =>
  withSetting(async ({ postgres, onEnd, startNode, startLoad }) => {
    const nodes = await Promise.all([startNode(), startNode(), startNode()])
    const watch = watchNodes(nodes.map(({ url }) => url))
    onEnd(watch.close)
    const load = startLoad(nodes, (i) =>
      isBalanced ? createBalancedClient(watch) : createClient(nodes[i % 3].url),
    )
    const made = await makeFaults(load, rounds, {
      inject: (round) => nodes[round % 3].kill(),
      async heal(round) {
        const { port } = nodes[round % 3]
        nodes[round % 3] = await startNode({ port })
      },
    })
    return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
  })

/** What a client has of a write that was sent to the node that was killed: its outcome is not known. */
const isUnknown = (outcome) => /^(ECONNRESET|socket hang up)$/.test(outcome)

export const nodeKilled = {
  name: 'node-killed',
  fault: 'One of three nodes behind a balancer killed (SIGKILL), and started again',
  rounds: 30,
  quickRounds: 2,
  limits: { successMs: 1_000, unavailable: 0 },
  isExpected: isUnknown,
  run: ({ rounds }) => killed(rounds, true),
  async control() {
    const { others } = await killed(5, false)
    const failed = Object.entries(others)
      .filter(([outcome]) => !isUnknown(outcome))
      .reduce((sum, [, count]) => sum + count, 0)
    return {
      isCaught: failed > 0,
      figure: `without a balancer ${failed} requests fail in 5 rounds`,
    }
  },
}
