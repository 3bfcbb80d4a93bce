import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { signedCookies } from '../speed/dataset.js'
import { compare, wrongIn } from './compare.js'
import { withDatabase } from './database.js'
import { startWriters, teams } from './load.js'
import { compileRecorder, createDisk, noRecorder, parseRecord } from './replay.js'
import { storedIn } from './stored.js'

/** How many writes are made, at least: SQLite copies the log into the file several times meanwhile. */
const writes = 3_000
/** After one of so many cuts the service is started; after the others its store is opened. */
const startEvery = 10
/** The shares of what was not flushed that a cut keeps. */
const shares = [0, 0.5, 0.9]

/** Records what the service does to its files under load, and makes up power cuts at random moments of the record. */
const cutPower = ({ rounds, seed, preload }) =>
  withDatabase({ kind: 'sqlite' }, async ({ folder, database, startNode }) => {
    const record = join(folder, 'record')
    const initial = new Map([['live.db', readFileSync(database)]])
    const env = { LD_PRELOAD: compileRecorder(folder), RECORD_FOLDER: folder, RECORD_LOG: record }
    const node = await startNode({ env, preload })
    const opened = openSync(record)
    const stamp = () => fstatSync(opened).size
    const first = stamp()
    const writers = startWriters(node.url, { stamp, pauseMs: 0 })
    while (writers.acknowledged() < writes) await sleep(10)
    await node.kill()
    await writers.stop()
    closeSync(opened)

    const random = createRandom(seed)
    const bytes = readFileSync(record)
    const cuts = Array.from({ length: rounds }, () => first + random.below(bytes.length - first))
    const entries = parseRecord(bytes)[Symbol.iterator]()
    const disk = createDisk(initial)
    let entry = entries.next().value
    const faults = []
    let lost = 0
    for (const [i, cut] of cuts.sort((a, b) => a - b).entries()) {
      for (; entry && entry.position <= cut; entry = entries.next().value) disk.next(entry)
      const share = random.pick(shares)
      const image = join(folder, `cut-${i}`)
      mkdirSync(image)
      for (const [name, content] of disk.cut(() => random.chance(share)))
        writeFileSync(join(image, name), content)
      const file = join(image, 'live.db')
      const shown = i % startEvery === 0 ? await served(startNode, file) : undefined
      const { projects: stored } = await storedIn(file).catch((error) => {
        faults.push(`cut at ${cut}: ${error.message}`)
        return { projects: [] }
      })
      const found = compare(writers.history, shown ?? stored, { from: cut, to: cut })
      lost += found.lost
      for (const fault of wrongIn(found)) faults.push(`cut at ${cut}: ${fault}`)
      rmSync(image, { recursive: true })
    }
    return { lost, faults, cuts: cuts.length, acknowledged: writers.acknowledged() }
  })

/** What the service shows of a file. */
async function served(startNode, database) {
  const node = await startNode({ database })
  const lists = signedCookies(teams).map(async (cookie) => {
    const response = await fetch(new URL('/v1/projects', node.url), { headers: { cookie } })
    if (!response.ok) throw new Error(`The projects cannot be read: ${response.status}`)
    return (await response.json()).projects
  })
  const projects = (await Promise.all(lists)).flat()
  await node.stop()
  return projects
}

export const powerCut = {
  name: 'power-cut',
  promise: 'A power cut loses no acknowledged write, and damages nothing.',
  fault: `The power fails at random moments under 12 writers: what was written and not flushed is gone, all of it or at random in sectors of 512 bytes (made up from a record of the service's writes and flushes)`,
  target: '0 lost',
  rounds: 100,
  quickRounds: 10,
  unavailable: noRecorder,
  make: cutPower,
  none: { lost: 'lost' },
  some: { cuts: 'cuts', acknowledged: 'writes' },
  controls: [{ fault: '`synchronous=NORMAL`', rounds: 10, preload: 'normal-sync.js', caught: ['lost'] }],
}
