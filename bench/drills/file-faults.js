import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import sqlite3 from 'sqlite3'
import { compare, wrongIn } from './compare.js'
import { waitUntil, withDatabase } from './database.js'
import { inLanes } from './in-lanes.js'
import { startWriters } from './load.js'
import { longestIn } from './outcomes.js'
import { startCommand } from './processes.js'
import { coverReadOnly, fill, noMounts } from './small-disk.js'
import { storedIn } from './stored.js'

/** How long the service may take to write and be ready again after a fault has ended, in ms. */
const recoveryMs = 2_000
/** How long a fault lasts after the first write that was refused, in ms. */
const holdMs = 700
/** How long the drill waits for what has to happen, in ms. */
const waitLimitMs = 15_000

/** A fault that ends the service, until a backup is restored and the supervisor starts it again. */
const replaced = (name, damage) => ({
  name,
  isRestored: true,
  endsService: true,
  make(setting) {
    damage(setting)
    return async () => {
      const restore = ['database', 'restore', setting.backup, '--database', setting.database, '--yes']
      const { code, output } = await startCommand(restore).ended
      if (code !== 0) throw new Error(`The restore ended with ${code}: ${output}`)
    }
  },
})

/**
 * The faults. Each makes itself, and returns what ends it.
 * - `isRestored`: a backup takes the place of the file, which was made while nobody wrote
 * - `endsService`: the process exits with 75, and is started again
 * - `mayRefuseReads`: reads may be 503 too; otherwise they go on
 * - `diskSize`: it needs a small disk
 */
const faults = [
  {
    name: 'locked by another process',
    async make({ database }) {
      const other = new sqlite3.Database(database)
      other.configure('busyTimeout', 5_000)
      const lock = promisify(other.exec.bind(other))
      await lock('BEGIN IMMEDIATE')
      return async () => {
        await lock('ROLLBACK')
        other.close()
      }
    },
  },
  {
    name: 'on a full disk',
    diskSize: '16m',
    make({ folder }) {
      const filler = join(folder, 'filler')
      fill(filler, 64 * 1024 * 1024)
      return () => rmSync(filler)
    },
  },
  {
    name: 'on a disk that is read-only',
    diskSize: '16m',
    isRestored: true,
    endsService: true,
    make({ root, folder, backup, onEnd }) {
      const other = join(root, 'other')
      mkdirSync(other)
      copyFileSync(backup, join(other, 'live.db'))
      const { makeWritable, uncover } = coverReadOnly(folder, other)
      onEnd(uncover)
      return makeWritable
    },
  },
  {
    name: 'without its log, which was deleted',
    endsService: true,
    make({ database }) {
      for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`)
      return () => {}
    },
  },
  replaced('removed', ({ database }) => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${database}${end}`)
  }),
  replaced('replaced by what is no database', ({ database, folder }) => {
    const nonsense = join(folder, 'nonsense')
    writeFileSync(nonsense, 'nonsense'.repeat(1_000))
    renameSync(nonsense, database)
  }),
  ...Object.entries({
    'truncated to a half': (file, bytes) => truncateSync(file, Math.floor(bytes / 8192) * 4096),
    emptied: (file) => truncateSync(file, 0),
    'overwritten in place': (file, bytes) => writeFileSync(file, Buffer.alloc(bytes, 0x5a), { flag: 'r+' }),
  }).map(([name, change]) => ({
    ...replaced(name, ({ database }) => change(database, statSync(database).size)),
    mayRefuseReads: true,
  })),
]

const waitFor = (holds) => waitUntil(holds, waitLimitMs, 10)

/** Makes a fault once, under load. @returns how long the service took to recover, and what did not hold */
const makeFault = ({ name, make, isRestored, endsService, mayRefuseReads, diskSize }) =>
  withDatabase({ kind: 'sqlite', diskSize }, async (setting) => {
    const { database, startLoad, startNode } = setting
    // The use of a session has to be recorded every three seconds, which fails meanwhile.
    const options = { env: { DASHBOARD_API_SESSION_IDLE: '30s' } }
    let node = await startNode(options)
    const url = node.url
    const wrong = []
    const isReady = async () => (await fetch(new URL('/readyz', url)).catch(() => ({}))).ok
    const before = startWriters(url, { pauseMs: 20 })
    await waitFor(() => before.acknowledged() > 200)
    const backup = join(setting.folder, 'backup.db')
    let writers = before
    if (isRestored) {
      await before.stop()
      const { code, output } = await startCommand(['database', 'backup', backup, '--database', database])
        .ended
      if (code !== 0) throw new Error(`The backup ended with ${code}: ${output}`)
    }
    const reader = startLoad([node], undefined, { writers: false, readers: 1, pauseMs: 5 })
    const end = await make({ ...setting, backup })
    if (isRestored) writers = startWriters(url, { pauseMs: 20, first: before.history.length + 1 })
    if (endsService) {
      const code = await Promise.race([node.ended, sleep(waitLimitMs, 'no exit')])
      if (code !== 75) wrong.push(`it ended with ${code}`)
      if (!node.log().includes('the database is lost')) wrong.push('the log does not say why')
    } else {
      const refused = await waitFor(() => writers.history.some(({ outcome }) => outcome === 'unavailable'))
      if (refused === undefined) wrong.push('no write was refused')
      if ((await waitFor(async () => !(await isReady()))) === undefined) wrong.push('/readyz stays 200')
    }
    await sleep(holdMs)
    const acknowledged = writers.acknowledged()
    await end()
    if (endsService) node = await startNode({ ...options, port: node.port })
    const recovered = await waitFor(async () => writers.acknowledged() > acknowledged && (await isReady()))
    if (recovered === undefined) wrong.push('it does not write again')
    await sleep(200)
    await Promise.all([writers.stop(), reader.stop()])
    await node.stop()

    const note = (what, { history }, expected) => {
      // Between its end and its start it cannot be reached.
      const isUnreached = (outcome) => endsService && !/^(status|503)/.test(outcome)
      for (const { outcome } of history)
        if (!expected.includes(outcome) && !isUnreached(outcome)) wrong.push(`${what}: ${outcome}`)
    }
    note('a write', writers, ['ok', 'unavailable'])
    note('a read', reader, mayRefuseReads || endsService ? ['ok', 'unavailable'] : ['ok'])
    try {
      const { projects } = await storedIn(database)
      const history = isRestored ? [...before.history, ...writers.history] : writers.history
      const { torn: _, ...compared } = compare(history, projects)
      wrong.push(...wrongIn(compared))
    } catch (error) {
      wrong.push(error.message)
    }
    const found = [...new Set(wrong)].map((each) => `${name}: ${each}`)
    return {
      rounds: 1,
      recoveredMs: recovered ?? Number.POSITIVE_INFINITY,
      readMs: longestIn(reader.history),
      wrong: found.length,
      faults: found,
    }
  })

export const fileFaults = {
  name: 'file-faults',
  promise:
    'While its file cannot be used for now, the service refuses writes with 503 and goes on reading; where the file was replaced, removed or damaged, it exits with 75. Afterwards, started again if it ended, it writes, and what it acknowledged is there.',
  fault: `The SQLite file is in turn ${faults.map(({ name }) => name).join(', ')}; where a backup is restored, it was made before the fault while nobody wrote. Reads may be 503 too where the content was changed in place`,
  target: `0 lost, only 503 while it runs, writes again within ${recoveryMs / 1000} s`,
  rounds: 5 * faults.length,
  quickRounds: faults.length,
  make({ rounds }) {
    const possible = faults.filter(({ diskSize }) => !diskSize || noMounts() === undefined)
    return inLanes(rounds, 1, (i) => makeFault(possible[i % possible.length]))
  },
  none: { wrong: 'faults' },
  some: { rounds: 'rounds' },
  limits: { recoveredMs: recoveryMs, readMs: recoveryMs },
}
