import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { compare, problemsIn } from './compare.js'
import { withDatabase } from './database.js'
import { cannotKeepFlushed, watchFlushes } from './flushed-files.js'
import { inLanes } from './in-lanes.js'
import { killAgain } from './kill-again.js'
import { readRecords } from './records.js'

/** Starts with a new database after this many cuts, so that its checks stay fast. */
const cutsOfDatabase = 10
/** The shares of unflushed data that a cut keeps. */
const shares = [0, 0.5, 0.9]

/** Repeatedly kills the service, removes unflushed data from its files, and starts it again. */
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
        // Long enough for several checkpoints.
        await sleep(200 + random.below(1_000))
        await node.kill()
        const share = random.pick(shares)
        const disk = cut(() => random.chance(share))
        for (const name of readdirSync(folder)) rmSync(join(folder, name))
        for (const [name, { content, mtime }] of disk) {
          writeFileSync(join(folder, name), content)
          utimesSync(join(folder, name), mtime, mtime)
        }
        const found = await readRecords(database).then(
          ({ projects }) => compare(history, projects),
          ({ message }) => ({ damaged: message }),
        )
        lost += found.lost ?? 0
        settle()
        return problemsIn(found)
      },
    })
    return { ...counts, lost }
  })

export const powerCut = {
  name: 'power-cut',
  promise: 'A power cut loses no acknowledged write, and does not damage the file.',
  fault: `The power fails at random moments under 12 writers: unflushed data is lost, all of it or random sectors of 512 bytes (simulated with copies that are made at each flush)`,
  target: '0 lost',
  rounds: 100,
  quickRounds: 3,
  unavailable: cannotKeepFlushed,
  run: ({ rounds, seed, preload }) =>
    inLanes(rounds, cutsOfDatabase, (i, cuts) =>
      cutPower({ rounds: cuts, random: createRandom(seed + i), preload }),
    ),
  mustBeZero: { lost: 'lost' },
  mustNotBeZero: { kills: 'cuts', acknowledged: 'writes' },
  controls: [{ fault: '`synchronous=NORMAL`', rounds: 4, preload: 'normal-sync.js', caught: ['lost'] }],
}
