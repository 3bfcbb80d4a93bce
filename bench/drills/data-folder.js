import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { compare, problemsIn } from './compare.js'
import { withDatabase } from './database.js'
import { inLanes } from './in-lanes.js'
import { killAgain } from './kill-again.js'
import { readRecords } from './records.js'

/** Starts with a new database after this many kills, so that its checks stay fast. */
const killsOfDatabase = 25

const sh = (script) => (folder) => void execFileSync('sh', ['-ec', script], { cwd: folder, stdio: 'pipe' })
const has = (program) => spawnSync(program, ['--help']).error === undefined

/** Copies the files away and back, so that each is a new one. */
const thereAndBack = (copy) => sh(`mkdir ../away; ${copy}; rm -f ./*; cp ../away/* .; rm -r ../away`)

/** What operators, images and tools do to a folder between two starts. Each receives the folder, and the source of choices. */
const steps = {
  cp: thereAndBack('cp ./* ../away'),
  'cp -a': sh('cp -a . ../away; rm -f ./*; cp -a ../away/. .; rm -r ../away'),
  'cp without the index': thereAndBack('cp ./* ../away; rm -f ../away/*-shm'),
  tar: sh('tar -cf ../all.tar .; rm -f ./*; tar -xmf ../all.tar; rm ../all.tar'),
  mv: thereAndBack('mv ./* ../away'),
  ln: sh('mkdir ../away; ln ./* ../away; rm -f ./*; ln ../away/* .; rm -r ../away'),
  chmod: sh('chmod -R u+rwX,go= .'),
  touch: sh('touch ./*'),
  ...(has('rsync') && { rsync: sh('rsync -a ./ ../away/; rm -f ./*; rsync -r ../away/ ./; rm -r ../away') }),
  ...(process.getuid?.() === 0 && {
    chown(folder) {
      for (const name of readdirSync(folder)) chownSync(join(folder, name), 65_534, 65_534)
    },
  }),
  /** The clock was set, or the files come from a machine with another one. */
  times(folder, random) {
    for (const name of readdirSync(folder)) {
      const time = 1 + random.below(4_000_000_000)
      utimesSync(join(folder, name), time, time)
    }
  },
}

/** Repeatedly kills the service, does something to its files, and starts it again. */
const handle = ({ rounds, random, loseLog }) =>
  withDatabase({ kind: 'sqlite' }, async ({ folder, database, startNode }) => {
    let lost = 0
    let refused = 0
    const { faults, kills, acknowledged } = await killAgain({
      rounds,
      pauseMs: 0,
      start: (port) =>
        startNode({ port }).catch((error) => {
          refused += 1
          throw error
        }),
      async kill(node, history) {
        await sleep(random.below(500))
        await node.kill()
        const step = random.pick(Object.keys(steps))
        steps[step](folder, random)
        if (loseLog) rmSync(`${database}-wal`, { force: true })
        // Of a copy: the service is the first that opens the files themselves.
        const copy = join(folder, 'copy')
        mkdirSync(copy)
        for (const end of ['', '-wal']) {
          if (existsSync(`${database}${end}`)) copyFileSync(`${database}${end}`, join(copy, `live.db${end}`))
        }
        const found = await readRecords(join(copy, 'live.db')).then(
          ({ projects }) => compare(history, projects),
          ({ message }) => ({ damaged: message }),
        )
        rmSync(copy, { recursive: true })
        lost += found.lost ?? 0
        return problemsIn(found).map((fault) => `${step}: ${fault}`)
      },
    })
    return { kills, refused, lost, faults, acknowledged }
  })

export const dataFolder = {
  name: 'data-folder',
  promise: 'After a crash the service starts without a human, whatever was done to its files.',
  fault: `SIGKILL under 12 writers; then, by chance, ${Object.keys(steps).join(', ')} of the files`,
  target: '0 starts refused, 0 lost',
  rounds: 200,
  quickRounds: 3,
  unavailable: () => (process.platform === 'win32' ? 'it uses the tools of Unix' : undefined),
  run: ({ rounds, seed, loseLog }) =>
    inLanes(rounds, killsOfDatabase, (i, kills) =>
      handle({ rounds: kills, random: createRandom(seed + i), loseLog }),
    ),
  mustBeZero: { refused: 'starts refused', lost: 'lost' },
  mustNotBeZero: { kills: 'kills', acknowledged: 'writes' },
  controls: [{ fault: 'The log is removed', rounds: 3, loseLog: true, caught: ['lost'] }],
}
