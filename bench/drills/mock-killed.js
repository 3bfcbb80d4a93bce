import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseStateText } from '../../dist/store/parse-state-text.js'
import { createRandom } from '../fuzz/random.js'
import { createClient } from './client.js'
import { compare, wrongIn } from './compare.js'
import { inLanes } from './in-lanes.js'
import { killAgain } from './kill-again.js'
import { stateOfLoad, teams } from './load.js'
import { startServer } from './processes.js'
import { withFolder } from './with-folder.js'

/** Projects of each team: the files are about half a megabyte long, so that it takes time to write them. */
const projects = 170
/** After so many kills the mock begins with new files. */
const killsOfFolder = 25
/** How many snapshots there are: most are saved over an older one. */
const snapshots = 3

/** Saves snapshots, one after the other, until `stop`. `saved` has when each was sent and acknowledged. */
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

/** What is wrong with a state file, of one moment between two times. */
async function faultsOf(file, history, times) {
  try {
    const state = await parseStateText(readFileSync(file, 'utf8'))
    return wrongIn(compare(history, state.projects, times))
  } catch (error) {
    return [error.message]
  }
}

/** What is wrong with a snapshot: it is the last that was acknowledged, or one that was sent later. */
async function faultsOfSnapshot(file, history, saved) {
  const candidates = saved.slice(Math.max(0, saved.findLastIndex(isAcknowledged)))
  const judged = await Promise.all(
    candidates.map(({ sent, acknowledged }) => faultsOf(file, history, { from: sent, to: acknowledged })),
  )
  return judged.some(({ length }) => length === 0) ? [] : judged.at(-1)
}

/** Kills the mock again and again while it saves its state and snapshots. @returns what was found after each kill */
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
  promise: 'The mock never leaves half of a file, and starts with all that it had saved.',
  fault:
    'SIGKILL of `dashboard-api dev --persist --snapshots` while 12 clients write and snapshots are saved, and a start on the same files',
  target: '0 of 300 half written',
  rounds: 300,
  quickRounds: 3,
  make: ({ rounds, seed, preload }) =>
    inLanes(rounds, killsOfFolder, (i, kills) => killMock(kills, createRandom(seed + i), preload)),
  none: { broken: 'after which a file is half written or lacks a change' },
  some: { kills: 'kills', acknowledged: 'changes', saved: 'snapshots' },
  controls: [
    {
      fault: 'A mock that writes its files in place',
      rounds: 20,
      preload: 'in-place.js',
      caught: ['broken'],
    },
  ],
}
