import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../fuzz/random.js'
import { signedCookies } from '../speed/dataset.js'
import { compare } from './compare.js'
import { countingDrill } from './counting.js'
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

/**
 * Records what the service does to its files under load, and makes up power cuts at random moments of the record.
 * @param defect a module that puts a defect into the service
 */
const cutPower = ({ rounds, seed, defect }) =>
  withDatabase({ kind: 'sqlite' }, async ({ folder, database, startNode }) => {
    const record = join(folder, 'record')
    const initial = new Map([['live.db', readFileSync(database)]])
    const node = await startNode({
      env: {
        LD_PRELOAD: compileRecorder(folder),
        RECORD_FOLDER: folder,
        RECORD_LOG: record,
        ...(defect && { NODE_OPTIONS: `--import ${defect}` }),
      },
    })
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
      for (const [name, content] of disk.cut(() => random.chance(share))) {
        writeFileSync(join(image, name), content)
      }
      const file = join(image, 'live.db')
      const shown = i % startEvery === 0 ? await served(startNode, file) : undefined
      const { projects: stored } = await storedIn(file).catch((error) => {
        faults.push(`cut at ${cut}: ${error.message}`)
        return { projects: [] }
      })
      const projects = shown ?? stored
      const found = compare(writers.history, projects, { from: cut, to: cut })
      lost += found.lost
      const wrong = Object.entries(found).filter(([, value]) => value)
      if (wrong.length > 0) faults.push(`cut at ${cut}: ${wrong.map(([name, value]) => `${name}: ${value}`)}`)
      rmSync(image, { recursive: true })
    }
    return { lost, faults, acknowledged: writers.acknowledged() }
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

export const powerCut = countingDrill({
  name: 'power-cut',
  promise: 'A power cut loses no acknowledged write, and damages nothing.',
  fault: `The power fails at random moments under 12 writers: what was written and not flushed is gone, all of it or at random in sectors of 512 bytes (made up from a record of the service's writes and flushes)`,
  target: '0 lost',
  rounds: 100,
  quickRounds: 10,
  unavailable: noRecorder,
  make: cutPower,
  none: {},
  figure: ({ lost }, { rounds }) => `${lost} lost in ${rounds} cuts`,
  control: {
    options: { rounds: 10, defect: new URL('normal-sync.js', import.meta.url) },
    caught: ['lost'],
    figure: ({ lost, faults }) =>
      `with \`synchronous=NORMAL\` ${faults.length} of 10 cuts lose ${lost} writes`,
  },
})
