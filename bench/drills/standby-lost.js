import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeSynchronous } from './postgres-failover.js'
import { createStandby } from './postgres-server.js'
import { figuresOf, makeFaults, withSetting } from './setting.js'
import { outcomesDuring } from './standby-only.js'

export const standbyLost = {
  name: 'standby-lost',
  fault: 'The synchronous standby is down for 8 s: reads go on, writes are 503',
  rounds: 5,
  quickRounds: 1,
  limits: { successMs: 1_000 },
  run: ({ rounds }) =>
    withSetting(async ({ folder, postgres, onEnd, startNode, startLoad }) => {
      const standby = await createStandby(postgres, join(folder, 'standby'))
      onEnd(() => standby.stop())
      await standby.start()
      await makeSynchronous(postgres)
      const load = startLoad([await startNode(), await startNode()])
      const made = await makeFaults(load, rounds, {
        inject: standby.kill,
        duringFault: async () => {
          await sleep(1_000)
          return outcomesDuring(load, 7_000)
        },
        async heal() {
          await standby.start()
          await makeSynchronous(postgres)
        },
      })
      return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
    }),
}
