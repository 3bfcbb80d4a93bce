import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressOfBoth, makeSynchronous } from './postgres-failover.js'
import { createStandby } from './postgres-server.js'
import { figuresOf, makeFaults, withSetting } from './setting.js'

/** Observes the load for a time, in which reads must succeed and writes be 503. Returns what was not so. */
export async function outcomesDuring(load, ms) {
  const from = load.history.length
  await sleep(ms)
  const meanwhile = load.history.slice(from)
  const reads = meanwhile.filter(({ kind }) => kind === 'read')
  const writes = meanwhile.filter(({ kind }) => kind !== 'read')
  const areAll = (requests, wanted) =>
    requests.length > 0 && requests.every(({ outcome }) => outcome === wanted)
  return [
    ...(areAll(reads, 'ok') ? [] : ['reads did not go on']),
    ...(areAll(writes, 'unavailable') ? [] : ['a write was not 503']),
  ]
}

export const standbyOnly = {
  name: 'standby-only',
  fault:
    'The primary is down for 4 s, and its standby is not promoted; `target_session_attrs=any` and `synchronous_commit=remote_apply`: reads go on, writes are 503',
  rounds: 10,
  quickRounds: 1,
  limits: { successMs: 1_500 },
  run: ({ rounds }) =>
    withSetting(
      async ({ folder, postgres, onEnd, startNode, startLoad }) => {
        const standby = await createStandby(postgres, join(folder, 'standby'))
        onEnd(() => standby.stop())
        await standby.start()
        await makeSynchronous(postgres)
        const database = addressOfBoth(postgres, standby, '?target_session_attrs=any')
        const load = startLoad([await startNode({ database }), await startNode({ database })])
        const made = await makeFaults(load, rounds, {
          inject: postgres.kill,
          duringFault: async () => {
            await sleep(2_000)
            return outcomesDuring(load, 2_000)
          },
          heal: postgres.start,
        })
        return { faults: made.faults, ...(await figuresOf(load, postgres, made)) }
      },
      // What was acknowledged can be read on the standby at once.
      { settings: { synchronous_commit: 'remote_apply' } },
    ),
}
