import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseStateText } from '../../dist/store/parse-state-text.js'
import { createRandom } from '../fuzz/random.js'
import { createClient } from './client.js'
import { compare, problemsIn } from './compare.js'
import { inLanes } from './in-lanes.js'
import { killAgain } from './kill-again.js'
import { stateOfLoad, teams } from './load.js'
import { startServer } from './processes.js'
import { withFolder } from './with-folder.js'

/** The projects of each team. The files are about half a megabyte long, so that writing them takes time. */
const projects = 170
/** The mock starts with new files after this many kills. */
const killsOfFolder = 25
/** The number of snapshots: few, so that most saves replace an older one. */
const snapshots = 3

/** Saves snapshots, one after the other, until `stop`. `saved` has the times at which each was sent and acknowledged. */
function saveSnapshots(url) {
  const saved = []
  let isStopped = false
  const loop = async () => {
    const send = createClient(url)
    for (let i = 0; !isStopped; i += 1) {
      const name = `s${i % snapshots}`
      const save = { name, sent: performance.now(), acknowledged: Number.POSITIVE_INFINITY }
      saved.push(save)
      const { status } = await send({ method: 'POST', path: '/__dev/snapshots/save', body: { name } })
      if (status < 300) save.acknowledged = performance.now()
      await sleep(10)
    }
    send.end()
  }
  const ended = loop()
  return {
    saved,
    stop() {
      isStopped = true
      return ended
    },
  }
}

const isAcknowledged = ({ acknowledged }) => Number.isFinite(acknowledged)

/** The problems of a state file, which must show one moment between two times. */
async function faultsOf(file, history, times) {
  try {
    const state = await parseStateText(readFileSync(file, 'utf8'))
    return problemsIn(compare(history, state.projects, times))
  } catch (error) {
    return [error.message]
  }
}

/** The problems of a snapshot, which must be the last acknowledged one, or one that was sent later. */
async function faultsOfSnapshot(file, history, saved) {
  const candidates = saved.slice(Math.max(0, saved.findLastIndex(isAcknowledged)))
  const judged = await Promise.all(
    candidates.map(({ sent, acknowledged }) => faultsOf(file, history, { from: sent, to: acknowledged })),
  )
  return judged.some(({ length }) => length === 0) ? [] : judged.at(-1)
}

/** Repeatedly kills the mock while it saves its state and snapshots. @returns the problems found after each kill */
const killMock = (rounds, random, preload) =>
  withFolder(async ({ folder, onEnd }) => {
    const [fixtures, persisted, saves] = ['fixtures.json', 'state.json', 'snapshots'].map((name) =>
      join(folder, name),
    )
    writeFileSync(fixtures, JSON.stringify(stateOfLoad(projects)))
    mkdirSync(saves)
    const files = ['--fixtures', fixtures, '--persist', persisted, '--snapshots', saves]
    let saver
    const { faults, kills, acknowledged } = await killAgain({
      rounds,
      cookies: Array.from({ length: teams }, (_, team) => `session=session-${team}`),
      async start(port) {
        const mock = await startServer(
          ['dev', '--json', '--no-ui', '--strict-port', '--port', String(port), ...files],
          { env: { NODE_ENV: 'test' }, preload },
        )
        onEnd(mock.kill)
        saver ??= saveSnapshots(mock.url)
        return mock
      },
      async kill(mock, history) {
        await sleep(random.below(200))
        await mock.kill()
        const found = await faultsOf(persisted, history)
        for (const file of readdirSync(saves).filter((each) => /^\w+\.json$/.test(each))) {
          const saved = saver.saved.filter(({ name }) => `${name}.json` === file)
          found.push(...(await faultsOfSnapshot(join(saves, file), history, saved)))
        }
        return found
      },
    })
    await saver.stop()
    const saved = saver.saved.filter(isAcknowledged).length
    return { faults, broken: faults.length, kills, saved, acknowledged }
  })

export const mockKilled = {
  name: 'mock-killed',
  promise: 'The mock never leaves a file half written, and starts with everything that it had saved.',
  fault:
    'SIGKILL of `dashboard-api dev --persist --snapshots` while 12 clients write and snapshots are saved; then a start with the same files',
  target: '0 of 300 half written',
  rounds: 300,
  quickRounds: 3,
  run: ({ rounds, seed, preload }) =>
    inLanes(rounds, killsOfFolder, (i, kills) => killMock(kills, createRandom(seed + i), preload)),
  mustBeZero: { broken: 'with a half-written file or a missing change' },
  mustNotBeZero: { kills: 'kills', acknowledged: 'changes', saved: 'snapshots' },
  controls: [
    {
      fault: 'A mock that writes its files in place',
      rounds: 20,
      preload: 'in-place.js',
      caught: ['broken'],
    },
  ],
}
