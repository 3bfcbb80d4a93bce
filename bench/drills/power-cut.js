import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { compare, wrongIn } from './compare.js'
import { withDatabase } from './database.js'
import { cannotKeepFlushed, watchFlushes } from './flushed-files.js'
import { inLanes } from './in-lanes.js'
import { killAgain } from './kill-again.js'
import { storedIn } from './stored.js'

/** After so many cuts a new database is begun, so that its checks stay short. */
const cutsOfDatabase = 10
/** The shares of what was not flushed that a cut keeps. */
const shares = [0, 0.5, 0.9]

/** Kills the service, takes from its files what was not flushed, and goes on with what is left. */
const cutPower = ({ rounds, random, preload }) =>
  withDatabase({ kind: 'sqlite' }, async ({ root, folder, database, startNode }) => {
    const flushed = join(root, 'flushed')
    mkdirSync(flushed)
    const { env, settle, cut } = watchFlushes(folder, flushed)
    settle()
    let lost = 0
    const { history: _, ...counts } = await killAgain({
      rounds,
      pauseMs: 0,
      start: (port) => startNode({ port, env, preload }),
      async kill(node, history) {
        // SQLite copies the log into the file several times meanwhile.
        await sleep(200 + random.below(1_000))
        await node.kill()
        const share = random.pick(shares)
        const disk = cut(() => random.chance(share))
        for (const name of readdirSync(folder)) rmSync(join(folder, name))
        // The log's index is memory.
        for (const [name, content] of disk)
          if (!name.endsWith('-shm')) writeFileSync(join(folder, name), content)
        const found = await storedIn(database).then(
          ({ projects }) => compare(history, projects),
          ({ message }) => ({ damaged: message }),
        )
        lost += found.lost ?? 0
        settle()
        return wrongIn(found)
      },
    })
    return { ...counts, lost }
  })

export const powerCut = {
  name: 'power-cut',
  promise: 'A power cut loses no acknowledged write, and damages nothing.',
  fault: `The power fails at random moments under 12 writers: what was written and not flushed is gone, all of it or at random in sectors of 512 bytes (made up from copies that are taken at each flush)`,
  target: '0 lost',
  rounds: 100,
  quickRounds: 3,
  unavailable: cannotKeepFlushed,
  make: ({ rounds, seed, preload }) =>
    inLanes(rounds, cutsOfDatabase, (i, cuts) =>
      cutPower({ rounds: cuts, random: createRandom(seed + i), preload }),
    ),
  none: { lost: 'lost' },
  some: { kills: 'cuts', acknowledged: 'writes' },
  controls: [{ fault: '`synchronous=NORMAL`', rounds: 4, preload: 'normal-sync.js', caught: ['lost'] }],
}
